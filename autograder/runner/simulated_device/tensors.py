"""How a tensor behaves when it is asked for its device, moved, shown, copied or made.

Each special case is a function of the mode, the torch function and its arguments; the mode runs the
real function with torch functions disabled.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from autograder.runner.simulated_device import faults
from autograder.runner.simulated_device.labels import (
    CPU,
    CUDA,
    device_of,
    holder,
    label_of,
    put,
    students_line,
)
from autograder.runner.simulated_device.moving import across, moved
from autograder.runner.simulated_device.state import Running, tensors_in
from autograder.wire.simulation import DLPACK

_T: Any = torch.Tensor
_Tensor, _Device, _dtype = torch.Tensor, torch.device, torch.dtype
_as_tensor = torch.as_tensor
_Special = Callable[[Running, Any, tuple[Any, ...], dict[str, Any]], Any]
_parse_to = torch._C._nn._parse_to
_object_format = object.__format__
_SUFFIX = re.compile(r",\s+(?:size|dtype|layout|grad_fn|requires_grad|tangent|names)=")
_DUNDER = {
    "rsub": "sub",
    "radd": "add",
    "rmul": "mul",
    "truediv": "div",
    "rtruediv": "div",
    "rdiv": "div",
    "getitem": "index",
    "setitem": "index_put",
    "rpow": "pow",
    "rmatmul": "matmul",
    "rmod": "remainder",
}
_PINNED = "_simulated_pinned"
# factories that may be given a tensor; the result is then on its device
TAKING = frozenset(
    {
        torch.tensor,
        torch.as_tensor,
        torch.asarray,
        torch.sparse_coo_tensor,
        torch.sparse_csr_tensor,
        torch.sparse_csc_tensor,
        torch.sparse_bsr_tensor,
        torch.sparse_bsc_tensor,
        torch.sparse_compressed_tensor,
    }
)

QUESTIONS: dict[Any, Callable[[torch.device], Any]] = {
    _T.device.__get__: lambda device: device,
    _T.is_cuda.__get__: lambda device: device.type == "cuda",
    _T.is_cpu.__get__: lambda device: device.type == "cpu",
    _T.get_device: lambda device: device.index if device.index is not None else -1,
}


def name_of(func: Any) -> str:
    """A student's name for a torch function: "add" for ``__radd__``."""
    name = getattr(func, "__name__", "")
    if name in ("__get__", "__set__"):
        name = getattr(getattr(func, "__self__", None), "__name__", name)
    if name.startswith("__") and name.endswith("__"):
        name = name.strip("_")
        return _DUNDER.get(name, name)
    return str(name)


def _to(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensor, *rest = args
    copy = bool(kwargs.pop("copy", False))
    if [type(one) for one in rest[-2:]] == [bool, bool]:
        copy = rest.pop()
    other = rest[0] if rest else kwargs.get("tensor")
    if isinstance(other, _Tensor):
        return moved(tensor, device_of(other), other.dtype, copy=copy)
    rest, kwargs = _with_device(rest, kwargs)
    device, dtype, _, layout = _parse_to(*rest, **kwargs)
    return moved(tensor, device, dtype, copy=copy, memory_format=layout)


def _with_device(rest: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """A device given as a number, as a device: torch would ask for a real one."""
    if rest and type(rest[0]) is int:
        rest = [_Device("cuda", rest[0]), *rest[1:]]
    if type(kwargs.get("device")) is int:
        kwargs = {**kwargs, "device": _Device("cuda", kwargs["device"])}
    return rest, kwargs


def _parse(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    rest, kwargs = _with_device(list(args), kwargs)
    device, *others = func(*rest, **kwargs)
    like = rest[0] if rest else kwargs.get("tensor")
    return (device_of(like) if isinstance(like, _Tensor) else device, *others)


def _device(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) == 1 and type(args[0]) is int:
        return func("cuda", args[0])
    return func(*args, **kwargs)


def _cuda(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    device = args[1] if len(args) > 1 else kwargs.get("device")
    return moved(args[0], CUDA if device is None else device)


def _cpu(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return moved(args[0], CPU)


def _type(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Names of types include the device: "torch.cuda.FloatTensor"."""
    wanted = args[1] if len(args) > 1 else kwargs.get("dtype")
    if wanted is None:
        name: str = func(args[0])
        return name.replace("torch.", "torch.cuda.") if device_of(args[0]) == CUDA else name
    if isinstance(wanted, _dtype):
        return moved(args[0], dtype=wanted)
    name = wanted if isinstance(wanted, str) else f"{wanted.__module__}.{wanted.__name__}"
    converted = func(args[0], name.replace(".cuda.", "."))
    if label_of(converted) is None:
        put(converted, device_of(args[0]))
    return moved(converted, CUDA if ".cuda." in name else CPU)


def _type_as(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    other = args[1] if len(args) > 1 else kwargs["other"]
    return moved(args[0], device_of(other), other.dtype)


def _array(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if device_of(args[0]) == CUDA and not kwargs.get("force"):
        raise faults.no_array(args[0], name_of(func))
    return mode.run(func, args, kwargs)


def _dlpack(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if device_of(args[0]) != CUDA:
        return mode.run(func, args, kwargs)
    if sys._getframe(2).f_code.co_filename.endswith("dlpack.py"):
        raise faults.NotSimulated(DLPACK)
    if func is _T.__dlpack_device__:
        return (2, 0)  # kDLCUDA
    raise faults.RefusedOperation(
        "Unsupported device in DLTensor.", faults.met("numpy", "dlpack", args[0])
    )


def _elementwise_python(
    mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if device_of(args[0]) == CUDA:
        text = f"{func.__name__} is only implemented on CPU tensors"
        raise faults.RefusedType(text, faults.met("host", func.__name__, args[0]))
    return mode.run(func, args, kwargs)


def _repr(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    text: str = mode.run(func, args, kwargs)
    if device_of(args[0]) != CUDA:
        return text
    found = _SUFFIX.search(text)
    at = found.start() if found else text.rindex(")")
    return f"{text[:at]}, device='{CUDA}'{text[at:]}"


def _format(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensor = args[0]
    if tensor.dim() == 0 or device_of(tensor) != CUDA or type(tensor) is not _Tensor:
        return mode.run(func, args, kwargs)
    shown = _repr(mode, _T.__repr__, (tensor,), {})
    return _object_format(shown, *args[1:]) if args[1:] == ("",) else mode.run(func, args, kwargs)


def _copy(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A copy across devices is silent, and its gradient crosses back."""
    source = args[1] if len(args) > 1 else kwargs.pop("src")
    if isinstance(source, _Tensor) and device_of(source) != device_of(args[0]):
        source = across(source, device_of(args[0]), source.dtype)
    return mode.run(func, (args[0], source, *args[2:]), kwargs)


def _set_item(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``x[...] = v`` may cross devices; ``x[tensor] = v`` may for one element only."""
    target, keys, value = args
    own = device_of(target)
    many = keys if isinstance(keys, tuple) else (keys,)
    if isinstance(value, _Tensor) and device_of(value) != own:
        picked = any(isinstance(one, _Tensor | list) for one in many)
        if value.numel() == 1 or not picked:
            value = across(value, own, value.dtype)
    near = [
        across(one, own, one.dtype) if isinstance(one, _Tensor) and device_of(one) != own else one
        for one in many
    ]
    mode.frame.own = own
    return mode.run(func, (target, tuple(near) if isinstance(keys, tuple) else near[0], value), {})


def _set_gradient(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensor, value = args[0], args[1]
    if isinstance(value, _Tensor) and device_of(value) != device_of(tensor):
        raise faults.foreign_gradient(faults.met("grad", "grad", tensor, value))
    return mode.run(func, args, kwargs)


def _grid(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    found = list(tensors_in(args))
    if len({device_of(one) for one in found}) > 1:
        raise faults.foreign_grid(faults.met("mixed", "meshgrid", *found))
    return mode.run(func, args, kwargs)


def _made(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``torch.tensor`` and similar functions, which the dispatcher does not see."""
    source = args[0] if args and isinstance(args[0], _Tensor) else None
    result = mode.run(func, args, kwargs)
    device = mode.frame.asked or (device_of(source) if source is not None else CPU)
    if device in (CPU, CUDA):
        put(result, device, made=students_line())
    return result


def _alias(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``as_tensor``: the tensor itself, moved where asked."""
    source = args[0] if args else kwargs.pop("data" if func is _as_tensor else "obj", None)
    if isinstance(source, _Tensor):
        return moved(source, kwargs.get("device"), kwargs.get("dtype"))
    return _made(mode, func, (source,), kwargs)


def _deep_copy(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    result = mode.run(func, args, kwargs)
    if device_of(args[0]) in (CPU, CUDA):
        put(result, device_of(args[0]), parent=label_of(args[0]))
    return result


def _pack(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``pack_padded_sequence`` wants lengths on the CPU, wherever the batch is."""
    lengths = args[1]
    if device_of(lengths) != CPU:
        text = (
            "'lengths' argument should be a 1D CPU int64 tensor, but got "
            f"{lengths.dim()}D {device_of(lengths)} Long tensor"
        )
        raise faults.RefusedOperation(text, faults.met("host", "pack_padded_sequence", lengths))
    return mode.run(func, args, kwargs)


def _unpack(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``pad_packed_sequence``: the lengths are where the sizes of the steps are, on the CPU."""
    padded, lengths = mode.run(func, args, kwargs)
    put(lengths, device_of(args[1]))
    return padded, lengths


def _ctc(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Lengths may be anywhere; targets must be where the probabilities are."""
    own = device_of(args[0])
    near = [
        across(arg, own, arg.dtype) if isinstance(arg, _Tensor) and device_of(arg) != own else arg
        for arg in args[2:4]
    ]
    return mode.run(func, (*args[:2], *near, *args[4:]), kwargs)


def _pin(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if device_of(args[0]) == CUDA:
        kind = f"torch.cuda.{_T.type(args[0]).rpartition('.')[2]}"
        text = f"cannot pin '{kind}' only dense CPU tensors can be pinned"
        raise faults.RefusedOperation(text, faults.met("host", "pin_memory", args[0]))
    copy = args[0].clone()
    setattr(holder(copy), _PINNED, True)
    return copy


def _is_pinned(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return bool(getattr(holder(args[0]), _PINNED, False))


def _attention(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The attention functions of CUDA: all of them compute the same result."""
    with sdpa_kernel(SDPBackend.MATH) if device_of(args[0]) == CUDA else contextlib.nullcontext():
        return mode.run(func, args, kwargs)


def _nothing(mode: Running, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return None


SPECIAL: dict[Any, _Special] = {
    _T.to: _to,
    _T.cuda: _cuda,
    _T.cpu: _cpu,
    _T.type: _type,
    _T.type_as: _type_as,
    _T.numpy: _array,
    _T.__array__: _array,
    _T.__dlpack__: _dlpack,
    _T.__dlpack_device__: _dlpack,
    _T.apply_: _elementwise_python,
    _T.map_: _elementwise_python,
    _T.__repr__: _repr,
    _T.__format__: _format,
    _T.copy_: _copy,
    _T.__setitem__: _set_item,
    _T.grad.__set__: _set_gradient,
    torch.meshgrid: _grid,
    _T.__deepcopy__: _deep_copy,
    torch.tensor: _made,
    torch.from_numpy: _made,
    _T.new_tensor: _made,
    torch.as_tensor: _alias,
    torch.asarray: _alias,
    _T.pin_memory: _pin,
    _T.is_pinned: _is_pinned,
    torch._VF._pack_padded_sequence: _pack,
    torch._VF._pad_packed_sequence: _unpack,
    torch.nn.functional.ctc_loss: _ctc,
    torch.ctc_loss: _ctc,
    _T.record_stream: _nothing,
    _parse_to: _parse,
    torch.device: _device,
    torch.nn.functional.scaled_dot_product_attention: _attention,
}
