"""Python, NumPy and torch values to wire values, and wire arrays back to tensors.

In the sandbox this runs beside student code, so what it needs of torch and NumPy is bound at
import, before any cell runs. That protects honest students from their own patches; it protects no
verdict, because every answer is a claim anyway.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from autograder.wire.frames import frame_to_wire, times_to_wire
from autograder.wire.messages import MAX_DEPTH
from autograder.wire.rebuilt import rebuilt
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    Complex,
    DataFrame,
    Entry,
    Items,
    Mapping,
    Module,
    Opaque,
    Sparse,
    Value,
    Whole,
)

TEXT_LIMIT = 200
ITEM_LIMIT = 100_000
STRING_LIMIT = 100_000

_DTYPES = {name: getattr(torch, name) for name in ITEMSIZE}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_STRIDED = torch.strided
_UINT8 = torch.uint8
_Tensor, _Module, _NdArray, _Generic = torch.Tensor, torch.nn.Module, np.ndarray, np.generic
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
_ascontiguous, _asarray, _int64 = np.ascontiguousarray, np.asarray, np.int64


def to_wire(value: Any, depth: int = 0) -> Value:
    """A student's value as a wire value; what has no plain form becomes ``Opaque``."""
    if value is None or type(value) in (bool, float):
        return value  # type: ignore[no-any-return]
    if type(value) is int:
        return value if -(2**63) <= value < 2**63 else _whole(value)
    if type(value) is str:
        return sendable(value[:STRING_LIMIT])
    if isinstance(value, _Tensor):
        array = tensor_to_wire(value)
        return array if array is not None else opaque(value)
    if isinstance(value, _NdArray | _Generic):
        return _ndarray_to_wire(value)
    if isinstance(value, _Module):
        return module_to_wire(value)
    if depth < MAX_DEPTH - 8:
        if type(value) in (list, tuple, set, frozenset) or isinstance(value, list | tuple):
            return _items(value, depth)
        if isinstance(value, dict) and len(value) <= ITEM_LIMIT:
            pairs = ((to_wire(k, depth + 1), to_wire(v, depth + 1)) for k, v in value.items())
            return Mapping(tuple(pairs))
    framed = frame_to_wire(value)
    return framed if framed is not None else _number(value)


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
    flat = _as_strided(plain, (plain.numel(),), (1,))  # guard: wire: strides of one number
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


def opaque(value: Any) -> Opaque:
    """The type's name and a short text of a value that is not sent."""
    try:
        text = repr(value)[:TEXT_LIMIT]
    except Exception:  # noqa: BLE001  a student's __repr__ may do anything
        text = "(no text)"
    return Opaque(sendable(type(value).__name__[:TEXT_LIMIT]), sendable(text))


def sendable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot encode, written as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _items(value: Any, depth: int) -> Value:
    if len(value) > ITEM_LIMIT:
        return opaque(type(value))
    kind = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "set"
    return Items(kind, tuple(to_wire(item, depth + 1) for item in value))  # type: ignore[arg-type]


def _ndarray_to_wire(value: Any) -> Value:
    plain = _asarray(value)
    name = plain.dtype.name
    if name not in ITEMSIZE or name == "bfloat16":
        if plain.dtype.kind in "uUSO" and plain.size <= ITEM_LIMIT:
            return to_wire(_signed(plain) if plain.dtype.kind == "u" else plain.tolist(), 8)
        return times_to_wire(plain) or opaque(value)
    if plain.dtype.byteorder == ">":
        plain = plain.astype(plain.dtype.newbyteorder("<"))
    return Array(name, tuple(plain.shape), _ascontiguous(plain).tobytes(), "ndarray")


def _signed(plain: Any) -> Any:
    """Unsigned integers as int64, or as Python integers if one is too large for it."""
    signed = plain.astype(_int64)
    return plain.tolist() if plain.dtype.itemsize == 8 and (signed < 0).any() else signed


def _number(value: Any) -> Value:
    """Other kinds of numbers (Fraction, Decimal, int and float subclasses) by their value."""
    try:
        if isinstance(value, str):
            return sendable(str.__str__(value)[:STRING_LIMIT])
        if isinstance(value, numbers.Integral):
            return to_wire(int.__int__(value) if isinstance(value, int) else int(value))
        if isinstance(value, float):
            return float.__float__(value)
        if isinstance(value, complex):
            return Complex(value.real, value.imag)
        if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
            return float(value)
    except Exception:  # noqa: BLE001  a student's class may do anything here
        return opaque(value)
    return opaque(value)


def _whole(value: int) -> Value:
    return Whole(str(value)) if value.bit_length() < 13_000 else Opaque("int", "a huge integer")


def to_tensor(array: Array) -> torch.Tensor:
    """A new tensor with an array's numbers; shapes and sizes were checked on decoding."""
    dtype = _DTYPES[array.dtype]
    if not array.data:
        return _empty(array.shape, dtype=dtype, device="cpu")
    with _no_function(), _without(_MODES):
        flat = _frombuffer(bytearray(array.data), dtype=_UINT8)
        return _reshape(_view(flat, dtype), array.shape)


def data_from_wire(values: Sequence[Value]) -> Any:
    """Fresh values of a student's own: the only one by itself, several as a tuple."""
    return from_wire(values[0]) if len(values) == 1 else tuple(map(from_wire, values))


def from_wire(value: Value) -> Any:
    """A fresh Python value for an argument or for a comparison.

    Arrays become tensors or NumPy arrays as their ``container`` says (bfloat16, which NumPy lacks,
    always a tensor); ``Opaque`` and ``Module`` are returned unchanged.
    """
    if isinstance(value, Array):
        tensor = to_tensor(value)
        as_numpy = value.container == "ndarray" and value.dtype != "bfloat16"
        return _numpy(tensor) if as_numpy else tensor
    if isinstance(value, Whole):
        return int(value.text)
    if isinstance(value, Complex):
        return complex(value.real, value.imag)
    if isinstance(value, Items):
        items = [from_wire(item) for item in value.items]
        if value.kind == "set":
            return set(items) if all(isinstance(i, int | float | str) for i in items) else items
        return tuple(items) if value.kind == "tuple" else items
    if isinstance(value, Mapping):
        pairs = [(from_wire(k), from_wire(v)) for k, v in value.items]
        plain = int | float | str | bool | None
        return {k if isinstance(k, plain) else str(k): v for k, v in pairs}
    if isinstance(value, DataFrame | Sparse):
        return rebuilt(value)
    return value
