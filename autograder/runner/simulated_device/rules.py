"""Which tensors may be combined: CUDA's rules per operation as data, and their application.

Source: what a CUDA build of PyTorch 2.13 raises (``TensorIterator`` and generated checks).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from autograder.runner.simulated_device import faults
from autograder.runner.simulated_device.labels import CPU, device_of

_Tensor = torch.Tensor
# these carry values from one device to another; the result is on the device of the first tensor
CROSSING = frozenset({"copy_", "_copy_from", "fill_", "set_", "_local_scalar_dense"})
# elementwise, yet a 0-dim tensor on the CPU is refused
STRICT = frozenset(
    """
    clamp clamp_ clamp_min clamp_max logaddexp logaddexp2 equal gcd lcm nextafter addcdiv
    addcdiv_ mse_loss
    """.split()
)
# not tagged elementwise, yet a 0-dim tensor on the CPU is accepted
LOOSE = frozenset(
    """
    index_fill index_fill_ floor_divide floor_divide_ allclose masked_fill masked_fill_ rsub eq_
    ne_ lt_ le_ gt_ ge_
    """.split()
)
# arguments that are on the CPU whatever the others are, and results that are
HOST_ARGUMENTS = {
    "_pack_padded_sequence": (1,),
    "_pad_packed_sequence": (1,),
    "_pack_padded_sequence_backward": (2,),
    "_ctc_loss": (2, 3),
}
HOST_RESULTS = {"_pack_padded_sequence": (1,)}
# a 0-dim tensor on the CPU is accepted from this operand on
FROM = {"logical_and": 1, "logical_or": 1, "logical_xor": 1, "lerp": 2, "addcmul": 2}


@dataclass(frozen=True, slots=True)
class Operation:
    """What the rules need to know of an aten operation. ``written``: argument positions."""

    name: str
    makes: bool
    lifts: bool
    crossing: bool
    loose: bool
    first_loose: int
    elementwise: bool
    each: bool
    indexed: str
    written: tuple[int, ...]
    host: tuple[int, ...]
    host_results: tuple[int, ...]
    arguments: tuple[str, ...]


@functools.cache
def learn(op: Any) -> Operation:
    """Read an operation's schema once. ``op``: an ``OpOverload``."""
    schema = op._schema
    name = schema.name.split("::")[1]
    pointwise = torch.Tag.pointwise in op.tags
    indexed = ""
    if "index" in name and any(
        str(argument.type).startswith("List[Optional[Tensor]]") for argument in schema.arguments
    ):
        indexed = "write" if "put" in name else "read"
    return Operation(
        name=name,
        makes=any(argument.name == "device" for argument in schema.arguments),
        lifts="lift" in name,
        crossing=name in CROSSING,
        loose=(pointwise and name not in STRICT) or name in LOOSE,
        first_loose=FROM.get(name.rstrip("_"), 0),
        elementwise=pointwise,
        each=name.startswith("_foreach"),
        indexed=indexed,
        written=tuple(
            n
            for n, one in enumerate(schema.arguments)
            if one.alias_info is not None and one.alias_info.is_write
        ),
        host=HOST_ARGUMENTS.get(name, ()),
        host_results=HOST_RESULTS.get(name, ()),
        arguments=tuple(argument.name for argument in schema.arguments),
    )


def result_device(
    op: Operation,
    args: Sequence[Any],
    tensors: Sequence[torch.Tensor],
    devices: Sequence[torch.device],
    *,
    called: str,
) -> torch.device | None:
    """Where the result is; None when each result is where its own input is.

    ``tensors``: all tensors among the arguments, at least one, and their devices. ``called``: the
    function that the student called. Raises ``faults.Refused`` where CUDA refuses.
    """
    if op.host:  # lengths that are on the host by rule
        apart = [args[n] for n in op.host if n < len(args)]
        tensors = [tensor for tensor in tensors if not any(tensor is other for other in apart)]
        devices = [device_of(tensor) for tensor in tensors]
    first = devices[0]
    if op.crossing or all(device == first for device in devices):
        return first
    if any(device.type == "meta" for device in devices):
        return next(device for device in devices if device.type == "meta")
    if op.indexed:
        return _indexed(op, args, first, called)
    if op.each:
        return None
    main = next(device for device in devices if device != CPU)
    facts = faults.met("mixed", called, *tensors)
    if op.name.startswith("masked_fill") and devices[0] != devices[1]:
        raise faults.foreign_mask(devices[0], devices[1], facts)
    written = [args[n] for n in op.written if n < len(args)]
    for n, (tensor, device) in enumerate(zip(tensors, devices, strict=True)):
        # From which operand on a scalar may mix.
        scalar = device == CPU and tensor.dim() == 0 and n >= op.first_loose
        # Nothing is written into a scalar of the host.
        if device != main and not (op.loose and scalar and not any(tensor is w for w in written)):
            raise _refusal(op, args, tensors, tensor, called)
    return main


def _indexed(op: Operation, args: Sequence[Any], own: torch.device, called: str) -> torch.device:
    """``x[i]`` takes indices on the CPU or on x's device; ``x[i] = v`` any, but v must fit."""
    for index in args[1] if op.indexed == "read" else ():
        if index is not None and device_of(index) not in (CPU, own):
            raise faults.foreign_index(own, faults.met("index", called, args[0], index))
    # Several numbers of another device are not written.
    if op.indexed == "write" and device_of(args[2]) != own and args[2].dim() != 0:
        facts = faults.met("mixed", called, args[0], args[2])
        raise faults.mixed_argument("index_put_", "value", own, device_of(args[2]), facts)
    return own


def _refusal(
    op: Operation,
    args: Sequence[Any],
    tensors: Sequence[torch.Tensor],
    odd: torch.Tensor,
    called: str,
) -> faults.RefusedOperation:
    """The error for the operand ``odd``, in the words of this operation."""
    other = next(tensor for tensor in tensors if device_of(tensor) != CPU)
    facts = faults.met("mixed", called, odd, other)
    if op.elementwise or op.loose:
        return faults.mixed(called, device_of(other), device_of(odd), facts)
    first = device_of(tensors[0])  # of several tensors the first one sets the device
    named = next(tensor for tensor in tensors if device_of(tensor) != first)
    argument = _argument(op, args, named)
    return faults.mixed_argument(op.name, argument, first, device_of(named), facts)


def _argument(op: Operation, args: Sequence[Any], tensor: torch.Tensor) -> str:
    """The schema's name for an argument."""
    for name, value in zip(op.arguments, args, strict=False):
        if value is tensor or (
            isinstance(value, list | tuple) and any(one is tensor for one in value)
        ):
            return name
    return "argument"
