"""Why a cell or a call was stopped, in words for the student that name the limit."""

from __future__ import annotations

import re
import signal

from autograder.evidence.records import Stop
from autograder.wire.messages import Call, Error, Limits, Request, RunCell, Test

_NO_MEMORY = ("DefaultCPUAllocator: ", "std::bad_alloc", "Cannot allocate memory")
_NO_DEVICE_MEMORY = (
    "CUDA out of memory",
    "HIP out of memory",
    "MPS backend out of memory",
    "CUDA error: out of memory",
    "CUBLAS_STATUS_ALLOC_FAILED",
    "CUDNN_STATUS_ALLOC_FAILED",
)
# cudaErrorIllegalAddress, LaunchTimeout, ContextIsDestroyed, Assert, HardwareStackError,
# IllegalInstruction, MisalignedAddress, InvalidAddressSpace, InvalidPc, LaunchFailure, ECC
_DEVICE_LOST = re.compile(
    r"(CUDA|HIP) error: (an illegal memory access was encountered|the launch timed out|"
    r"context is destroyed|device-side assert triggered|hardware stack error|"
    r"an illegal instruction|misaligned address|"
    r"operation not supported on global/shared address space|invalid program counter|"
    r"unspecified launch failure|uncorrectable ECC error)"
)
DEVICE_LOST = Stop("died", "errors on the accelerator ended its process more than once")
TOO_MUCH = Stop("wall", "the calls with a simulated accelerator used up their share of the run")
KILLED = Stop("died", "the process was killed (by its own code, or because memory ran out)")


def _crashed(killed_by: int) -> Stop:
    known = killed_by in set(signal.Signals)
    name = signal.Signals(killed_by).name if known else str(killed_by)
    return Stop("died", f"the process crashed with signal {name}")


# signals by which somebody else on the machine ends a process; a notebook that does it to itself
# does it again
ENDED = (KILLED, *map(_crashed, (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)))


def too_long(request: Request | None, cpu: float, cpu_s: float, wall_s: float) -> Stop:
    """The stop for a request that used up its time.

    ``cpu``: the processor seconds that it has used. ``cpu_s``, ``wall_s``: its limits in seconds.
    """
    limit = "the limit for " + _thing(request)
    if cpu > cpu_s:
        text = f"it used more than {cpu_s:g} seconds of processor time, {limit}, and did not finish"
        return Stop("cpu", text)
    text = f"it took more than {wall_s:g} seconds of elapsed time, {limit}, and did not finish"
    return Stop("wall", text)


def _thing(request: Request | None) -> str:
    if isinstance(request, RunCell):
        return "one cell"
    if isinstance(request, Test):
        return "one test"
    return "one call" if isinstance(request, Call) else "one answer"


def too_large(limits: Limits) -> Stop:
    """The stop for an answer that is larger than allowed."""
    return Stop("output", f"its result is larger than {limits.reply_mb} MB")


def too_much_memory(limits: Limits) -> Stop:
    """The stop for using all the memory that the notebook may use."""
    text = f"it used up the memory limit of the whole notebook ({limits.memory_mb} MB)"
    return Stop("memory", text)


def too_many_threads(limits: Limits) -> Stop:
    """The stop for a process that keeps starting threads."""
    return Stop("processes", f"it runs more than {limits.processes} threads at the same time")


def too_many_files(limits: Limits) -> Stop:
    """The stop for scratch space with too many entries, where the file system sets no bound."""
    return Stop("disk", f"it created more than {limits.files} files")


def too_much_disk(limits: Limits) -> Stop:
    """The stop for scratch space that is too full, where the file system sets no bound."""
    return Stop("disk", f"its files take more than {limits.disk_mb} MB")


def how_it_died(code: int, killed_by: int, limits: Limits, *, memory: bool) -> Stop:
    """The stop for a child that ended by itself: its exit code, or the signal that ended it.

    ``memory``: the kernel reported that it ended the child because memory ran out.
    """
    if memory:
        return too_much_memory(limits)
    if killed_by == signal.SIGKILL:
        return KILLED
    if killed_by == signal.SIGXCPU:
        return Stop("cpu", "the whole notebook used up its processor time limit")
    if killed_by:
        return _crashed(killed_by)
    return Stop("died", f"the process ended itself (exit code {code})")


def says_no_memory(error: Error) -> bool:
    """Whether an exception claims that the machine's memory ran out: Python's, NumPy's, or
    torch's. An accelerator's memory does not count."""
    said = "MemoryError" in error.types or any(words in error.text for words in _NO_MEMORY)
    # Memory of the device is not the machine's.
    return said and not says_no_device_memory(error)


def says_no_device_memory(error: Error) -> bool:
    """Whether an exception claims that an accelerator's memory ran out."""
    own = "OutOfMemoryError" in error.types
    return own or any(words in error.text for words in _NO_DEVICE_MEMORY)


def says_device_lost(error: Error) -> bool:
    """Whether an exception claims an error after which a process cannot use its accelerator again.

    According to the CUDA runtime's list of errors, the process has to be ended after these.
    """
    return _DEVICE_LOST.search(error.text) is not None
