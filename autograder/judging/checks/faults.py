"""What goes wrong with devices, by name: in words about the student's own line, and in fixed words.

The words about a line quote what the box claims; only a public check's message may show them.
The fixed words (``advice``) quote nothing.
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
    """A mistake of devices: its title for instructors, its remedy for students."""

    title: str
    remedy: str


MISTAKES = MappingProxyType(
    {
        "device_made_on_cpu": DeviceMistake(
            "a tensor is made on the CPU",
            "A tensor that is made without `device=` lies on the CPU, and cannot be combined with "
            "one on an accelerator. Make it where the input is: `device=x.device`.",
        ),
        "device_plain_attribute": DeviceMistake(
            "a tensor is kept as a plain attribute",
            "`module.to(device)` moves parameters and buffers, and nothing else: a tensor kept as "
            "a plain attribute, in a list or in a dictionary stays behind. Keep it with "
            "`self.register_buffer(...)`, or as an `nn.Parameter` if it is to be learned.",
        ),
        "device_plain_list": DeviceMistake(
            "layers are kept in a plain list",
            "`module.to(device)` does not see layers in a plain Python list or dictionary. Keep "
            "them in `nn.ModuleList` or `nn.ModuleDict`.",
        ),
        "device_cache": DeviceMistake(
            "a table is kept from the first call",
            "A table that the first call makes and keeps stays on the device of that call. Make "
            "it anew when `x.device` is another one, or register it as a buffer.",
        ),
        "device_original": DeviceMistake(
            "a copy uses tensors of the original",
            "A copy of the object still works with tensors of the original, which did not move "
            "with it: a function that is kept as an attribute remembers the object it was made "
            "for. Write it as a method.",
        ),
        "device_not_moved": DeviceMistake(
            "an argument is not moved",
            "All that meets in one operation must be on one device. `x.to(device)` returns a new "
            "tensor and leaves `x` as it is: use what it returns.",
        ),
        "device_notebook_tensor": DeviceMistake(
            "a tensor of the notebook stays on the CPU",
            "A tensor that another cell made is still on the CPU when the inputs are not. Move it "
            "to the input's device where it is used: `.to(x.device)`.",
        ),
        "device_numpy": DeviceMistake(
            "a tensor on an accelerator becomes a NumPy array",
            "NumPy works in the computer's own memory: a tensor on an accelerator must be brought "
            "back first, with `.detach().cpu().numpy()`. Or stay with torch's own functions.",
        ),
        "device_fixed": DeviceMistake(
            "a device is fixed in the code",
            "The device is fixed in the code, or taken from what the machine has. Take it from the "
            "input: `x.device`. Then the same code runs on every device.",
        ),
        "device_result_left": DeviceMistake(
            "the result is on another device than the inputs",
            "The result is on another device than the inputs. Make tensors that take results with "
            "`device=x.device`, and do not move the result.",
        ),
        "device_mixed": DeviceMistake(
            "tensors of two devices meet",
            "Tensors of two devices meet in one operation. Move them to the input's device first: "
            "`.to(x.device)`.",
        ),
        "device_dtype": DeviceMistake(
            "a dtype that the accelerator lacks",
            "This accelerator has no float64. Work in float32, also in tables from NumPy.",
        ),
    }
)


class Explanation(NamedTuple):
    """A device mistake's name, and a sentence about the student's line, if it is known."""

    name: str
    sentence: str

    @property
    def cause(self) -> Cause:
        """As instructors read it."""
        return Cause("named", (Mistake(self.name, MISTAKES[self.name].title),))

    @property
    def advice(self) -> str:
        """As students read it, in fixed words."""
        return MISTAKES[self.name].remedy


def of_fault(fault: Fault, *, way: str, on_cpu: bool) -> Explanation:
    """Name what broke the rules; ``way``: how objects came to the device; ``on_cpu``: the call
    was to run on the CPU, beside an accelerator."""
    held = _quoted(fault.name)
    if fault.rule == "dtype":
        return Explanation("device_dtype", "")
    if on_cpu:
        return Explanation("device_fixed", _said_of_fixed(fault))
    if way == "used":
        return Explanation("device_cache", f"{held} was made by a call on the CPU and kept.")
    if way == "copied":
        return Explanation("device_original", "")
    if fault.rule == "numpy":
        return Explanation("device_numpy", "")
    if fault.origin == "made" and "device=" in fault.source:
        kept = f"The result of `{_plain(fault.source)}` was kept from a call on the CPU."
        return Explanation("device_cache", kept)
    if fault.origin == "made" and fault.source:
        where = f"cell {fault.cell}, line {fault.line}," if fault.cell else "your code"
        remedy = _remedy_for(fault.source, fault.beside)
        sentence = f"`{_plain(fault.source)}` in {where} makes its result on the CPU; {remedy}."
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
        return Explanation("device_notebook_tensor", f"{held} of the notebook is on the CPU.")
    what = f"`{_plain(fault.op)}`" if fault.op else "an operation"
    return Explanation(
        "device_mixed", f"In {what} a tensor on the CPU meets one on the accelerator."
    )


def of_error(error: Error) -> Explanation | None:
    """A device that the machine lacks, asked for by a fixed name; None for other exceptions."""
    if any(words in error.text for words in _NO_CUDA):
        return Explanation("device_fixed", "A device is asked for that this machine does not have.")
    return None


def result_left(actual: str, expected: str) -> Explanation:
    """The result is on another device than it should be."""
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
            f"`{_plain(fault.source)}` puts a tensor on the accelerator; the inputs are not there."
        )
    if fault.name:
        return f"{_quoted(fault.name)} is on the accelerator; the inputs are not there."
    return "A tensor is on the accelerator, although the inputs are on the CPU."


def _called(device: str) -> str:
    return "the CPU" if device == "cpu" else f"`{_plain(device)}`"


def _quoted(name: str) -> str:
    return f"`{_plain(name)}`" if name else "A tensor"


def _plain(text: str) -> str:
    return short(text.replace("`", "'"), NAMED)
