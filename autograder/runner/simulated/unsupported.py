"""Tells an exception that only says that the simulation cannot tell from one that says more.

Covered: what torch raises itself, in C++ or in its Python files, while a torch function is in
progress; what a build with CUDA raises because it finds no driver. Not covered: whether the CPU
alone would raise the same; who asks compares with a plain run.
"""

from __future__ import annotations

import contextlib
import dis
import os
from types import TracebackType

import torch

from autograder.runner.cell_names import CELLS
from autograder.runner.simulated.faults import REFUSALS, NotSimulated

_ATTRIBUTE = "_simulated_function"
_TORCH = os.path.dirname(torch.__file__) + os.sep  # noqa: PTH120
_HERE = os.path.dirname(__file__) + os.sep  # noqa: PTH120
_MAX_FRAMES = 10_000
_RAISE = dis.opmap["RAISE_VARARGS"]


def note(error: BaseException, name: str) -> None:
    """Remember the outermost torch function that an exception passed through."""
    with contextlib.suppress(BaseException):  # a student's exception may refuse attributes
        setattr(error, _ATTRIBUTE, name)


def not_simulated(error: BaseException) -> str:
    """The operation that the simulation lacks, "" for errors of other kinds. Never raises."""
    if type(error) is NotSimulated:
        return str(error.op)[:300] or "operation"
    if issubclass(type(error), REFUSALS):
        return ""
    last = _innermost(error.__traceback__)
    if last is None:
        return ""
    file, function = last.tb_frame.f_code.co_filename, last.tb_frame.f_code.co_name
    if _from_device(error, last):
        return "use of the real device"
    if _from_script(error, last):
        return "TorchScript"
    if file.startswith(CELLS) or not file.startswith((_TORCH, _HERE)):
        return ""
    try:
        name = object.__getattribute__(error, "__dict__").get(_ATTRIBUTE)
    except Exception:  # noqa: BLE001  a student's exception may have no dictionary
        name = None
    return name[:300] if isinstance(name, str) and name else function[:300]


def _from_script(error: BaseException, last: TracebackType) -> bool:
    """Whether TorchScript raised it, which hides ours; what a student raises himself is his."""
    said = type(error) is RuntimeError and "TorchScript interpreter" in str(error)
    return said and not _raised_at(last)


def _from_device(error: BaseException, last: TracebackType) -> bool:
    """Whether CUDA, or torch for want of its driver, raised it in C++."""
    lacking = type(error) is RuntimeError and "NVIDIA driver" in str(error)
    raised = lacking or type(error) is getattr(torch, "AcceleratorError", None)
    return raised and not _raised_at(last)


def _raised_at(last: TracebackType) -> bool:
    """Whether a ``raise`` stands where the exception began."""
    code = last.tb_frame.f_code.co_code
    return last.tb_lasti < len(code) and code[last.tb_lasti] == _RAISE


def _innermost(trace: TracebackType | None) -> TracebackType | None:
    for _ in range(_MAX_FRAMES):
        if trace is None or trace.tb_next is None:
            return trace
        trace = trace.tb_next
    return trace
