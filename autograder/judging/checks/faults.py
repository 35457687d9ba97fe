"""Mistakes with devices, by name: a sentence about the student's own line, and fixed advice.

Sentences about a line quote what the box claims; only a public check's message may show them. The
fixed text (``advice``) quotes nothing.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import NamedTuple

from autograder.judging.checks.explain import short
from autograder.judging.verdict import Cause, Mistake
from autograder.wire.messages import Error, Fault

_TAKES_DEVICE = re.compile(
    r"torch\.(?:arange|zeros|ones|full|empty|eye|linspace|logspace|rand\w*|normal|tensor|as_tensor"
    r"|asarray|tri[lu]_indices|\w+_window|\w+_like)\(|(?:torch\.)?nn\.[A-Z][\w.]*\("
)
_BROUGHT_BACK = (".cpu()", ".to('cpu')", '.to("cpu")')
NAMED = 80  # characters of a name that is quoted
_NO_CUDA = ("not compiled with CUDA", "no NVIDIA driver", "not linked with support for cuda")


class DeviceMistake(NamedTuple):
    """A mistake with devices: its title for instructors, its fix for students."""

    title: str
    remedy: str


MISTAKES = MappingProxyType(
    {
        "device_made_on_cpu": DeviceMistake(
            "a tensor is created on the CPU",
            "A tensor created without `device=` is on the CPU and cannot be combined with one on "
            "an accelerator. Create it on the input's device: `device=x.device`.",
        ),
        "device_plain_attribute": DeviceMistake(
            "a tensor is stored as a plain attribute",
            "`module.to(device)` moves only parameters and buffers: a tensor stored as a plain "
            "attribute, in a list or in a dictionary is not moved. Register it with "
            "`self.register_buffer(...)`, or make it an `nn.Parameter` if it should be learned.",
        ),
        "device_plain_list": DeviceMistake(
            "layers are stored in a plain list",
            "`module.to(device)` does not see layers in a plain Python list or dictionary. Store "
            "them in `nn.ModuleList` or `nn.ModuleDict`.",
        ),
        "device_cache": DeviceMistake(
            "a table is cached by the first call",
            "A table that the first call creates and caches stays on the device of that call. "
            "Create it again when `x.device` changes, or register it as a buffer.",
        ),
        "device_original": DeviceMistake(
            "a copy uses tensors of the original",
            "A copy of the object still uses tensors of the original, which did not move with it: "
            "a function stored as an attribute keeps a reference to the object it was created "
            "for. Write it as a method.",
        ),
        "device_not_moved": DeviceMistake(
            "an argument is not moved",
            "All tensors in one operation must be on the same device. `x.to(device)` returns a new "
            "tensor and does not change `x`: use the tensor it returns.",
        ),
        "device_notebook_tensor": DeviceMistake(
            "a tensor of the notebook stays on the CPU",
            "A tensor created in another cell is still on the CPU when the inputs are not. Move it "
            "to the input's device where it is used: `.to(x.device)`.",
        ),
        "device_numpy": DeviceMistake(
            "a tensor on an accelerator becomes a NumPy array",
            "NumPy works in main memory: copy a tensor on an accelerator to the CPU first, with "
            "`.detach().cpu().numpy()`, or use torch functions instead.",
        ),
        "device_fixed": DeviceMistake(
            "a device is hard-coded",
            "The device is hard-coded, or chosen by what the machine has. Take it from the input: "
            "`x.device`. Then the same code runs on every device.",
        ),
        "device_result_left": DeviceMistake(
            "the result is not on the device of the inputs",
            "The result is not on the device of the inputs. Create result tensors with "
            "`device=x.device`, and do not move the result.",
        ),
        "device_mixed": DeviceMistake(
            "tensors on two devices are combined",
            "Tensors on two devices are combined in one operation. Move them to the input's device "
            "first: `.to(x.device)`.",
        ),
        "device_dtype": DeviceMistake(
            "a dtype that the accelerator lacks",
            "This accelerator does not support float64. Use float32, also for tables from NumPy.",
        ),
    }
)


class Explanation(NamedTuple):
    """A device mistake's name, and a sentence about the student's line, if it is known."""

    name: str
    sentence: str

    @property
    def cause(self) -> Cause:
        """The mistake's name and title, for instructors."""
        return Cause("named", (Mistake(self.name, MISTAKES[self.name].title),))

    @property
    def advice(self) -> str:
        """The fix, in fixed words for students."""
        return MISTAKES[self.name].remedy


def of_fault(fault: Fault, *, way: str, on_cpu: bool) -> Explanation:
    """Name what broke the rules; ``way``: how objects were moved to the device; ``on_cpu``: the
    call was to run on the CPU, beside an accelerator."""
    held = _quoted(fault.name)
    if fault.rule == "dtype":
        return Explanation("device_dtype", "")
    if on_cpu:
        return Explanation("device_fixed", _said_of_fixed(fault))
    if way == "used":
        return Explanation("device_cache", f"{held} was created by a call on the CPU and cached.")
    if way == "copied":
        return Explanation("device_original", "")
    if fault.rule == "numpy":
        return Explanation("device_numpy", "")
    if fault.origin == "made" and "device=" in fault.source:
        kept = f"The result of `{_plain(fault.source)}` was cached by a call on the CPU."
        return Explanation("device_cache", kept)
    if fault.origin == "made" and fault.source:
        where = f"cell {fault.cell}, line {fault.line}," if fault.cell else "your code"
        remedy = _remedy_for(fault.source, fault.beside)
        sentence = f"`{_plain(fault.source)}` in {where} creates its result on the CPU; {remedy}."
        return Explanation("device_made_on_cpu", sentence)
    if fault.origin == "attribute":
        return Explanation(
            "device_plain_attribute",
            f"{held} is a plain attribute: `.to(device)` leaves it on the CPU.",
        )
    if fault.origin == "layer":
        return Explanation("device_plain_list", f"`.to(device)` does not reach {held}.")
    if fault.origin == "argument":
        return Explanation("device_not_moved", f"{held} is still on the CPU.")
    if fault.origin == "global":
        return Explanation(
            "device_notebook_tensor", f"{held}, a global of the notebook, is on the CPU."
        )
    what = f"`{_plain(fault.op)}`" if fault.op else "An operation"
    return Explanation(
        "device_mixed", f"{what} combines a tensor on the CPU with one on the accelerator."
    )


def of_error(error: Error) -> Explanation | None:
    """A missing device that is requested by a fixed name; None for other exceptions."""
    if any(words in error.text for words in _NO_CUDA):
        return Explanation(
            "device_fixed", "The code requests a device that this machine does not have."
        )
    return None


def result_left(actual: str, expected: str) -> Explanation:
    """The result is on the wrong device."""
    name = "device_fixed" if expected == "cpu" else "device_result_left"
    return Explanation(
        name, f"The result is on {_called(actual)}; it should be on {_called(expected)}."
    )


def _remedy_for(source: str, beside: str) -> str:
    """``beside``: a name on the right device that can be used where the tensor is made."""
    if not beside:
        return "move it to the device of the inputs: `.to(...)`"
    if _TAKES_DEVICE.match(source) and not source.endswith(_BROUGHT_BACK):
        return f"pass `device={_plain(beside)}.device`"
    return f"move it: `.to({_plain(beside)}.device)`"


def _said_of_fixed(fault: Fault) -> str:
    if fault.origin == "made" and fault.source:
        return (
            f"`{_plain(fault.source)}` puts a tensor on the accelerator; the inputs are on the CPU."
        )
    if fault.name:
        return f"{_quoted(fault.name)} is on the accelerator; the inputs are on the CPU."
    return "A tensor is on the accelerator; the inputs are on the CPU."


def _called(device: str) -> str:
    return "the CPU" if device == "cpu" else f"`{_plain(device)}`"


def _quoted(name: str) -> str:
    return f"`{_plain(name)}`" if name else "A tensor"


def _plain(text: str) -> str:
    return short(text.replace("`", "'"), NAMED)
