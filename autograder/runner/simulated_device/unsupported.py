"""Distinguishes exceptions that only mean that the simulation has no answer from real errors.

Covered: what the simulation refuses, and what it could not do itself; operators and kernels that
torch has on an accelerator and not on the CPU; what a build with CUDA raises because it finds no
driver. Any other exception of torch is an ordinary error. Not covered: whether it is true; the
trusted side looks that up (``checks/device.py``).
"""

from __future__ import annotations

import dis
import os
from types import CodeType, TracebackType

import torch

from autograder.runner.cell_names import CELLS
from autograder.runner.simulated_device.dispatch import Operations
from autograder.runner.simulated_device.faults import REFUSALS, NotSimulated
from autograder.runner.simulated_device.functions import Functions
from autograder.wire.simulation import ITSELF, NO_KERNEL, OPERATOR, REAL_DEVICE, SCRIPT

_TORCH = os.path.dirname(torch.__file__) + os.sep  # noqa: PTH120
_HERE = os.path.dirname(__file__) + os.sep  # noqa: PTH120
_MAX_FRAMES = 10_000
_RAISE = dis.opmap["RAISE_VARARGS"]
# where torch is called on behalf of the student: what is raised there was raised by torch
_PASSING: tuple[CodeType, ...] = (
    Functions.__torch_function__.__code__,
    Functions.run.__code__,
    Operations.__torch_dispatch__.__code__,
)


def not_simulated(error: BaseException) -> str:
    """What the simulation lacks, "" for errors of other kinds. Never raises."""
    if type(error) is NotSimulated:
        return _text(getattr(error, "op", "")) or "operation"
    if issubclass(type(error), REFUSALS):
        return ""
    last = _innermost(error.__traceback__)
    if last is None:
        return ""
    if _from_device(error, last):  # an error of a driver that is not there is nobody's fault
        return REAL_DEVICE
    if _from_script(error, last):
        return SCRIPT
    code = last.tb_frame.f_code
    if code.co_filename.startswith(CELLS) or not code.co_filename.startswith((_TORCH, _HERE)):
        return ""
    if type(error) is NotImplementedError:
        text = _text(error.args[0]) if error.args else ""
        return text if NO_KERNEL.fullmatch(text) else OPERATOR
    # An error of torch is an error, not a lack of the simulation.
    return ITSELF if code.co_filename.startswith(_HERE) and code not in _PASSING else ""


def _text(said: object) -> str:
    """The exception's text if it is ours or torch's; a student's object may return another text
    each time."""
    # The name of what is lacking is a plain text.
    return said[:300] if type(said) is str else ""


def _from_script(error: BaseException, last: TracebackType) -> bool:
    """Whether TorchScript, which hides our exception, raised it; what a student raises is the
    student's own."""
    said = type(error) is RuntimeError and "TorchScript interpreter" in str(error)
    return said and not _raised_at(last)


def _from_device(error: BaseException, last: TracebackType) -> bool:
    """Whether CUDA, or torch for lack of its driver, raised it in C++."""
    lacking = type(error) is RuntimeError and "NVIDIA driver" in str(error)
    raised = lacking or type(error) is getattr(torch, "AcceleratorError", None)
    # An exception of that sort that a student raises is the student's.
    return raised and not _raised_at(last)


def _raised_at(last: TracebackType) -> bool:
    """Whether the exception began at a ``raise`` statement."""
    code = last.tb_frame.f_code.co_code
    return last.tb_lasti < len(code) and code[last.tb_lasti] == _RAISE


def _innermost(trace: TracebackType | None) -> TracebackType | None:
    for _ in range(_MAX_FRAMES):
        if trace is None or trace.tb_next is None:
            return trace
        trace = trace.tb_next
    return trace
