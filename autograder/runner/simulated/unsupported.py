"""Tells an exception that only says that the simulation cannot tell from one that says more.

Covered: what torch raises itself, in C++ or in its Python files, while a torch function is in
progress. Not covered: whether the CPU alone would raise the same; who asks compares with a
plain run.
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
    code = last.tb_frame.f_code.co_code
    raised = last.tb_lasti < len(code) and code[last.tb_lasti] == _RAISE
    return type(error) is RuntimeError and not raised and "TorchScript interpreter" in str(error)


def _innermost(trace: TracebackType | None) -> TracebackType | None:
    for _ in range(_MAX_FRAMES):
        if trace is None or trace.tb_next is None:
            return trace
        trace = trace.tb_next
    return trace
