"""What crosses the border: requests go in, and each in turn gets exactly one answer.

A frame is an 8-byte big-endian length and a MessagePack body. Every request frame carries a fresh
nonce; the answer must repeat it. Nothing in this module is an expected value.

Covered: size, depth, array sizes against their dtype and shape, types of every field. Not covered:
whether an answer is true. It is a claim by code that the student controls.
"""

from __future__ import annotations

import math
from typing import Any, Literal, TypeVar

import msgspec

from autograder.wire.lengths import inspect_table
from autograder.wire.types import resolved
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    ConstructedObject,
    DataColumn,
    DataFrame,
    Figure,
    Items,
    Mapping,
    Module,
    Slot,
    Sparse,
    Value,
    Whole,
)

MAX_FRAME = 256 * 1024**2
MAX_DEPTH = 32
MAX_DIGITS = 4000
MAX_TYPES, MAX_TEXT = 64, 50_000  # of an exception: the runner sends far less
MAX_NAME = 400  # characters of each text in a device fault
MOST_LINES = 1000  # of the lines that ran in a call
HEADER = 8
COPYING = "copy.deepcopy: "  # prefix of "unsupported" when an object refuses to be copied
ROW_LABELS = "row labels"  # in the outline of a table whose rows are not labelled 0, 1, 2, ...
GIVEN = "(given)"  # the owner of cells that belong to the template, not to the student


class WireError(Exception):
    """The bytes are not a message. Never by itself the student's verdict."""


# ---------------------------------------------------------------- requests (trusted side)


class FileBeside(msgspec.Struct, frozen=True):
    """A file that a student submitted beside the notebook; ``name`` is relative to it, with "/"
    between folders."""

    name: str
    data: bytes


class Begin(msgspec.Struct, frozen=True, tag="begin", tag_field="is"):
    """First request: seeds, how much output to keep per cell, whether to draw figures, and the
    student's own files beside the notebook.

    ``pretend``: a simulated accelerator exists while the cells run. ``device``: a real one ("cuda",
    "mps") exists, of whose memory ``device_mb`` MB may be used. ``data``: what ``grader.data``
    returns, by exercise.
    """

    seed: int
    output_bytes: int
    draw: bool
    pretend: bool = False
    device: str = ""
    device_mb: int = 0
    beside: tuple[FileBeside, ...] = ()
    data: tuple[tuple[str, tuple[Value, ...]], ...] = ()


class RunCell(msgspec.Struct, frozen=True, tag="cell", tag_field="is"):
    """Run one cell's source in the notebook's namespace."""

    number: int
    source: str
    exercise: str = ""


class Read(msgspec.Struct, frozen=True, tag="read", tag_field="is"):
    """Read a name from an exercise's kept namespace (``latest``: from the present one)."""

    exercise: str
    name: str
    latest: bool = False


class StandIn(msgspec.Struct, frozen=True):
    """During one call the global ``name`` is one of our functions, of this ``kind``."""

    name: str
    kind: str


class CallEnvironment(msgspec.Struct, frozen=True):
    """Where and how one call runs, if not on the CPU in the ordinary way.

    ``device`` "cpu" or an accelerator ("cuda", "mps"). ``simulated``: the accelerator "cuda" is
    simulated; with device "cpu" it exists beside the CPU. Arguments are moved to the device, except
    those whose index is in ``stays``. ``way`` says how objects of the student's classes get there:
    "moved" by ``.to``; "used", called on the CPU before they are moved; "copied", a deep copy is
    moved; "loaded", a second object takes their state dict.

    ``dtype``: floating arguments and modules are converted to it, except those in ``fixed``;
    ``rounded``: first to this dtype. ``autocast``: the dtype of a ``torch.autocast`` around the
    call. ``threads``: how many threads torch may use. ``default_dtype``: PyTorch's default floating
    type during the call, if not float32.
    """

    device: str = "cpu"
    simulated: bool = False
    stays: tuple[int, ...] = ()
    way: Literal["moved", "used", "copied", "loaded"] = "moved"
    dtype: str = ""
    rounded: str = ""
    fixed: tuple[int, ...] = ()
    autocast: str = ""
    threads: int = 1
    default_dtype: str = ""


class Call(msgspec.Struct, frozen=True, tag="call", tag_field="is"):
    """Call ``target`` by position with fresh ``args`` in an exercise's kept namespace.

    "Class.method" with a ``ConstructedObject`` of that class as first argument calls the object's
    method; "Class.forward" calls the object itself.

    ``gradient`` lists arguments (by index) whose gradient is wanted: of the sum of the result times
    a pattern. For a module argument it is its parameters' gradient. If the result is a tuple or a
    list, item number ``output`` is taken. ``discard`` asks for the shape of the result and for some
    of its numbers, not for all. ``after`` lists arguments (by index) whose value after the call is
    wanted. ``place`` says where the call runs; then the result's arrays say on which device they
    were. ``earlier``: arguments of an earlier call on the same objects, whose result does not
    matter. ``trace`` asks which lines of the cells run.
    """

    exercise: str
    target: str
    args: tuple[Value, ...]
    seed: int = 0
    gradient: tuple[int, ...] = ()
    discard: bool = False
    latest: bool = False
    output: int = 0
    stand_ins: tuple[StandIn, ...] = ()
    after: tuple[int, ...] = ()
    place: CallEnvironment | None = None
    earlier: tuple[Value, ...] = ()
    trace: bool = False


class Figures(msgspec.Struct, frozen=True, tag="figures", tag_field="is"):
    """Read the figures that this exercise's cells showed or left open.

    ``printed``: also the text that these cells printed.
    """

    exercise: str
    printed: bool = False


class Keep(msgspec.Struct, frozen=True, tag="keep", tag_field="is"):
    """Keep the namespace as it is now, under this exercise's name, and read from it."""

    exercise: str
    reads: tuple[Read, ...] = ()


class Test(msgspec.Struct, frozen=True, tag="test", tag_field="is"):
    """Run an instructor's test among the names of the notebook as they are now.

    "examples": each of ``sources`` as at Python's prompt, in a copy of the names; the answer is
    what each printed, and its exception. "function": ``sources[0]`` is a file of test functions, of
    which ``function`` is called with the names that its parameters have. "cell": ``sources[0]`` is
    run as a cell of the notebook; the answer is its outputs. "examples" contain no expected value.

    ``hidden``: students may not see it, so nothing that they wrote is shown once it was present.
    ``shown`` is the part that students have, and runs in its place where the test may not.
    """

    exercise: str
    form: Literal["examples", "function", "cell"]
    sources: tuple[str, ...]
    function: str = ""
    hidden: bool = False
    shown: str = ""


class GivenText(msgspec.Struct, frozen=True, tag="known", tag_field="is"):
    """Nothing is asked: the trusted side knows the answer from the submitted file.

    ``text`` is a cell's text; None if the cell does not exist.
    """

    text: str | None


Request = Begin | RunCell | Keep | Read | Call | Figures | Test


class Ask(msgspec.Struct, frozen=True):
    nonce: int
    request: Request


# ---------------------------------------------------------------- answers (the sandbox's claims)


class Error(msgspec.Struct, frozen=True):
    """An exception: its class names from its own class upwards, its text, and the student's
    line."""

    types: tuple[str, ...]
    text: str
    line: int = 0
    source: str = ""
    trace: str = ""


class Output(msgspec.Struct, frozen=True):
    """One output of a cell. ``content`` holds UTF-8 text, or the bytes of a PNG."""

    kind: Literal["stdout", "stderr", "display", "result"]
    mime: str
    content: bytes


Origin = Literal["made", "attribute", "layer", "argument", "global", "result", "unknown"]


class Fault(msgspec.Struct, frozen=True):
    """What broke the rules of a simulated accelerator, as far as can be determined.

    ``rule``: "mixed" tensors of several devices were combined; "numpy" one that is not on the CPU
    was to become an array; "index" of another device; "grad" of another device; "dtype" that the
    device lacks. ``op``: the operation. ``tensor``: the device of the odd tensor, ``main`` of the
    others. ``origin`` of the odd tensor: made by ``source`` in ``cell``, ``line``; held by an
    attribute or by a layer outside the module's own parts (``name``); an argument or a global name
    of the student's. ``beside``: a name in the student's code that is on ``main``.
    """

    rule: Literal["mixed", "numpy", "index", "grad", "dtype"]
    op: str
    tensor: str = "cpu"
    main: str = ""
    shape: tuple[int, ...] = ()
    origin: Origin = "unknown"
    name: str = ""
    cell: int = 0
    line: int = 0
    source: str = ""
    beside: str = ""


class CellDone(msgspec.Struct, frozen=True, tag="cell", tag_field="is"):
    """A cell ended by itself. ``dropped`` counts output bytes beyond the limit."""

    outputs: tuple[Output, ...]
    error: Error | None = None
    dropped: int = 0


class Outcome(msgspec.Struct, frozen=True, tag="outcome", tag_field="is"):
    """What one read or call did.

    ``changed`` lists arguments that were changed in place; ``gradients`` and ``after`` follow the
    order of the request's fields of these names. "unsupported": the simulation has no answer, and
    ``error`` names the operation that it lacks; a claim like the others. ``fault`` explains a
    "raised" of the simulation. ``lines``: (cell, line) of what ran in a traced call; empty if that
    is not known.
    """

    status: Literal["returned", "raised", "missing", "unsupported"]
    value: Value = None
    error: Error | None = None
    changed: tuple[int, ...] = ()
    gradients: tuple[Value, ...] = ()
    after: tuple[Value, ...] = ()
    fault: Fault | None = None
    lines: tuple[tuple[int, int], ...] = ()


class Ready(msgspec.Struct, frozen=True, tag="ready", tag_field="is"):
    """First frame of a child, before any student code: the layers it is under."""

    layers: tuple[str, ...]
    failed: str = ""


class Kept(msgspec.Struct, frozen=True, tag="kept", tag_field="is"):
    """Carried out; with one outcome for each of ``Keep.reads``, in order."""

    outcomes: tuple[Outcome, ...] = ()


Answer = Ready | Kept | CellDone | Outcome


class Reply(msgspec.Struct, frozen=True):
    nonce: int
    answer: Answer


# ---------------------------------------------------------------- the job, and frames


class Cell(msgspec.Struct, frozen=True):
    """One code cell of a submission. ``number`` counts the notebook's cells from 1."""

    number: int
    source: str
    exercise: str = ""


class Probe(msgspec.Struct, frozen=True):
    """One question about an exercise. ``id`` is unique within a job; ``check`` names the first
    check that asks it, whose calls may be sent together."""

    id: str
    exercise: str
    request: Read | Call | Figures | Test | GivenText
    check: str = ""

    @property
    def target(self) -> str:
        """The name that is called or read, a method with its class: ``Layer.forward``; else ""."""
        match self.request:
            case Read(name=name) | Call(target=name):
                return name
        return ""


class Limits(msgspec.Struct, frozen=True):
    """Limits on one run. CPU seconds are per cell and per call; wall is a longer limit.

    ``files`` limits how many files scratch space holds, ``open_files`` how many are open at once,
    ``processes`` the threads (new processes are refused anyway). ``reply_mb`` limits one answer and
    ``total_mb`` all of them, both by their size in memory. ``device_mb`` limits the memory taken on
    a real accelerator, in a run that has one.
    """

    cell_cpu_s: float = 20.0
    cell_wall_s: float = 60.0
    call_cpu_s: float = 20.0
    call_wall_s: float = 60.0
    submission_wall_s: float = 300.0
    memory_mb: int = 2048
    disk_mb: int = 256
    files: int = 5000
    open_files: int = 256
    processes: int = 64
    output_kb: int = 256
    reply_mb: int = 64
    total_mb: int = 128
    device_mb: int = 2048


class Job(msgspec.Struct, frozen=True):
    """Everything one run needs; sent to the sandbox request by request. It contains no answer.

    ``keep_after`` maps an exercise to the number of its last cell, 0 when it has none.
    """

    cells: tuple[Cell, ...]
    keep_after: tuple[tuple[str, int], ...]
    probes: tuple[Probe, ...]
    seed: int
    limits: Limits = Limits()
    draw: bool = True
    models: str = ""  # digest of the available pretrained models: they can change a run
    pretend: bool = False  # the cells ask which accelerator exists: show them a simulated one
    device: str = ""  # the real accelerator that the run needs; such a job runs in a box with it
    apart: bool = False  # hidden tests run in place, in a second child whose outputs nobody sees
    files: str = ""  # digest of the assignment's files in the box: they can change a run
    beside: tuple[FileBeside, ...] = ()  # what the student submitted beside the notebook
    data: tuple[tuple[str, tuple[Value, ...]], ...] = ()  # the student's own values, by exercise


T = TypeVar("T")
_encoder = msgspec.msgpack.Encoder()


def encode(message: msgspec.Struct) -> bytes:
    """A message as a frame body."""
    return _encoder.encode(message)


def frame(body: bytes) -> bytes:
    """A body with its length in front."""
    return len(body).to_bytes(HEADER, "big") + body


def decode_ours(body: bytes | bytearray | memoryview, kind: type[T]) -> T:
    """Decode bytes of the trusted side; raises what msgspec raises."""
    return msgspec.msgpack.decode(body, type=resolved(kind))


def decode(body: bytes | bytearray | memoryview, kind: type[T]) -> T:
    """Decode bytes that may come from hostile code; raises ``WireError`` and nothing else."""
    if len(body) > MAX_FRAME:
        raise WireError(f"a message of {len(body)} bytes is over the limit of {MAX_FRAME}")
    try:
        message = decode_ours(body, kind)
        _inspect(message, 0)
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as bad:
        raise WireError(f"not a {kind.__name__}: {bad}") from None
    return message


_PLAIN = (str, int, float, bool, bytes, type(None))
_DEEPER = (
    Items,
    Mapping,
    Module,
    ConstructedObject,
    Slot,
    Figure,
    Reply,
    Outcome,
    Kept,
    Ask,
    Call,
    Probe,
    Job,
    DataColumn,
    DataFrame,
    Sparse,
)


def _inspect(node: Any, depth: int) -> None:
    """Refuse what typed decoding accepts: depth, arrays that misstate their size, huge integers."""
    kind = type(node)
    if kind in _PLAIN:
        return
    if depth > MAX_DEPTH:
        raise WireError("nested too deeply")
    if kind is Array:
        _inspect_array(node)
    elif kind is tuple:
        for item in node:
            if type(item) not in _PLAIN:
                _inspect(item, depth)
    elif kind is Error:
        _inspect_error(node)
    elif kind is Fault:
        if any(len(text) > MAX_NAME for text in (node.op, node.name, node.source, node.beside)):
            raise WireError("a device fault that is too long")
    elif kind is Whole:
        if len(node.text) > MAX_DIGITS or not node.text.removeprefix("-").isdecimal():
            raise WireError("bad integer")
        int(node.text)
    else:
        if kind is Outcome and len(node.lines) > MOST_LINES:
            raise WireError("too many lines")
        below = depth + (kind in _DEEPER)
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if type(value) not in _PLAIN:
                _inspect(value, below)
        if kind in (DataColumn, DataFrame, Sparse):
            inspect_table(node)


def _inspect_error(error: Error) -> None:
    texts = (error.text, error.source, error.trace, *error.types[:MAX_TYPES])
    if len(error.types) > MAX_TYPES or any(len(text) > MAX_TEXT for text in texts):
        raise WireError("an exception that is too long")


def _inspect_array(array: Array) -> None:
    if array.dtype not in ITEMSIZE:
        raise WireError(f"unknown dtype {array.dtype[:20]!r}")
    if len(array.shape) > 16 or any(not 0 <= n <= 2**40 for n in array.shape):
        raise WireError("bad array shape")
    if math.prod(max(n, 1) for n in array.shape) > 2**40:  # empty, but no library can make it
        raise WireError("bad array shape")
    if math.prod(array.shape) * ITEMSIZE[array.dtype] != len(array.data):
        raise WireError("array bytes do not match its shape")
