"""Torch's tensors and modules to wire values, and wire arrays back to tensors.

In the sandbox this runs beside student code, so what it needs of torch is bound at import: before
any cell runs, if the assignment uses torch. The rest of a value is converted by ``convert``.
"""

from __future__ import annotations

from typing import Any

import torch

from autograder.wire.convert import from_wire as from_wire  # relations import it from here
from autograder.wire.convert import opaque
from autograder.wire.convert import to_wire as to_wire
from autograder.wire.values import ITEMSIZE, Array, Entry, Module, Value

_DTYPES = {name: getattr(torch, name) for name in ITEMSIZE}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_STRIDED = torch.strided
_UINT8 = torch.uint8
_Tensor, _Module = torch.Tensor, torch.nn.Module
_detach, _cpu, _contiguous = torch.Tensor.detach, torch.Tensor.cpu, torch.Tensor.contiguous
_view, _reshape, _numpy = torch.Tensor.view, torch.Tensor.reshape, torch.Tensor.numpy
_as_strided = torch.Tensor.as_strided
_resolve_conj, _resolve_neg = torch.Tensor.resolve_conj, torch.Tensor.resolve_neg
_as_subclass = torch.Tensor.as_subclass
_named_parameters, _named_buffers = _Module.named_parameters, _Module.named_buffers
_named_modules = _Module.named_modules
_frombuffer, _empty = torch.frombuffer, torch.empty
_no_subclass, _no_function = torch._C.DisableTorchFunctionSubclass, torch._C.DisableTorchFunction
_PLAIN = (torch.Tensor, torch.nn.Parameter)
_without = torch._C._ExcludeDispatchKeyGuard
_MODES = torch._C.DispatchKeySet(torch._C.DispatchKey.Python) | torch._C.DispatchKeySet(
    torch._C.DispatchKey.PythonTLSSnapshot
)


def library_value(value: Any) -> Value | None:
    """A tensor or a module as a wire value, ``Opaque`` if it has no plain form; None for a value
    of another kind."""
    if isinstance(value, _Tensor):
        array = tensor_to_wire(value)
        return array if array is not None else opaque(value)
    return module_to_wire(value) if isinstance(value, _Module) else None


def tensor_to_wire(tensor: torch.Tensor) -> Array | None:
    """A tensor's bytes, or None when it is not dense or its dtype is not on the list."""
    try:
        return _dense_to_wire(tensor)
    except RuntimeError:  # sparse, nested, or of another kind without plain numbers
        return None


def _dense_to_wire(tensor: torch.Tensor) -> Array | None:
    if type(tensor) not in _PLAIN:  # a subclass may override where its numbers are
        with _no_subclass():
            return _array(tensor)
    with _no_function(), _without(_MODES):  # a mode would see ten operations, each at a cost
        return _array(tensor)


def _array(tensor: torch.Tensor) -> Array | None:
    plain = _as_subclass(_detach(tensor), _Tensor)
    if plain.layout != _STRIDED or plain.dtype not in _NAMES or plain.is_meta:
        return None
    plain = _contiguous(_resolve_neg(_resolve_conj(_cpu(plain))))
    name, shape = _NAMES[plain.dtype], tuple(plain.shape)
    if not plain.numel():
        return Array(name, shape, b"")
    # one number may have any stride, with which it could not be viewed as bytes
    flat = _as_strided(plain, (plain.numel(),), (1,))
    return Array(name, shape, _numpy(_view(flat, _UINT8)).tobytes())


def module_to_wire(module: torch.nn.Module) -> Module:
    """A module's class names and all its parameters and buffers (shared ones once)."""
    entries = []
    unsaved = _unsaved(module)
    for role, named in (("parameter", _named_parameters), ("buffer", _named_buffers)):
        for name, tensor in named(module):
            array = tensor_to_wire(tensor)
            if array is not None:
                learnable, saved = bool(tensor.requires_grad), name not in unsaved
                entries.append(Entry(name, role, array, learnable, saved))  # type: ignore[arg-type]
    names = [c.__name__ for c in type(module).__mro__]
    ending = names.index("Module") + 1 if "Module" in names else len(names)
    return Module(names[0], tuple(names[:ending]), tuple(entries), bool(module.training))


def _unsaved(module: torch.nn.Module) -> set[str]:
    """The names of buffers that the state dict leaves out."""
    owners = _named_modules(module)
    left_out = ((path, name) for path, one in owners for name in one._non_persistent_buffers_set)
    return {f"{path}.{name}".lstrip(".") for path, name in left_out}


def to_tensor(array: Array) -> torch.Tensor:
    """A new tensor with an array's numbers; shapes and sizes were checked on decoding."""
    dtype = _DTYPES[array.dtype]
    if not array.data:
        return _empty(array.shape, dtype=dtype, device="cpu")
    with _no_function(), _without(_MODES):
        flat = _frombuffer(bytearray(array.data), dtype=_UINT8)
        return _reshape(_view(flat, dtype), array.shape)
