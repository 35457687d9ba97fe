"""One call of a student's function: fresh arguments, quiet surroundings, a described result."""

from __future__ import annotations

import random
import warnings
from typing import Any

import msgspec
import numpy as np
import torch

from autograder.runner.errors import describe
from autograder.wire.messages import Call, Outcome
from autograder.wire.tensors import from_wire, module_to_wire, to_tensor, to_wire
from autograder.wire.values import Array, Complex, Items, Mapping, Module, Opaque, Value, Whole

_Tensor, _Parameter, _Module = torch.Tensor, torch.nn.Parameter, torch.nn.Module
_Embedding = torch.nn.Embedding
_set_dtype, _set_device, _set_grad = (
    torch.set_default_dtype, torch.set_default_device, torch.set_grad_enabled,
)  # fmt: skip
_float32 = torch.float32
# torch.manual_seed asks every backend that could exist: 80 times the cost, 100 times per run
_seed_torch = torch.default_generator.manual_seed
_seed_numpy, _seed_random = np.random.seed, random.seed
_grad, _arange, _sin = torch.autograd.grad, torch.arange, torch.sin
_encode = msgspec.msgpack.Encoder().encode
_MISSING = object()
SAMPLES, PARTS = 256, 64
GOLDEN = 0.6180339887498949  # its multiples spread evenly over the unit interval


def seed_all(seed: int) -> None:
    """Seed Python's, NumPy's and torch's generators."""
    _seed_random(seed)
    _seed_numpy(seed % 2**32)
    _seed_torch(seed)


def reset_surroundings() -> None:
    """Global switches of torch as in a fresh process: a function is judged by what it does."""
    _set_device(None)
    _set_dtype(_float32)
    _set_grad(True)


def find(namespace: dict[str, Any], name: str) -> Any:
    """The object of a (dotted) name, or ``_MISSING``."""
    first, *rest = name.split(".")
    value = namespace.get(first, _MISSING)
    for part in rest:
        value = getattr(value, part, _MISSING)
    return value


def read(namespace: dict[str, Any], name: str) -> Outcome:
    """What a name holds."""
    value = find(namespace, name)
    return Outcome("missing") if value is _MISSING else Outcome("returned", to_wire(value))


def call(namespace: dict[str, Any], request: Call) -> Outcome:
    """Call by position; says what came back, what was changed in place, and the gradients."""
    reset_surroundings()
    seed_all(request.seed)
    target = find(namespace, request.target)
    if target is _MISSING:
        return Outcome("missing")
    arguments = [build(value) for value in request.args]
    for index in request.gradient:
        if isinstance(arguments[index], _Tensor):
            arguments[index].requires_grad_(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = target(*arguments)
            gradients = tuple(gradient(result, arguments[i]) for i in request.gradient)
    except BaseException as error:  # noqa: BLE001  SystemExit and interrupts are outcomes too
        return Outcome("raised", error=describe(error))
    finally:
        reset_surroundings()
    changed = tuple(
        i for i, (now, sent) in enumerate(zip(arguments, request.args, strict=True))
        if differs(now, sent)
    )  # fmt: skip
    value = outline(result) if request.discard else to_wire(result)
    return Outcome("returned", value, None, changed, gradients)


def build(value: Value) -> Any:
    """A fresh argument from the job's bytes; a Module becomes a library module."""
    if isinstance(value, Module) and value.type == "Embedding":
        weight = to_tensor(value.entries[0].array)
        module = _Embedding(weight.shape[0], weight.shape[1], _weight=weight)
        module.weight.requires_grad_(value.entries[0].learnable)
        return module.train(value.training)
    return from_wire(value)


def differs(now: Any, sent: Value) -> bool:
    """Whether an argument no longer holds what was sent."""
    if isinstance(sent, Module):
        try:
            return module_to_wire(now).entries != sent.entries
        except (AttributeError, TypeError, RuntimeError):
            return True
    if isinstance(sent, Array | Items | Mapping):
        return _encode(to_wire(now)) != _encode(sent)
    return False


def gradient(result: Any, argument: Any) -> Value:
    """Gradient of sum(result * pattern) for one argument; None when none reaches it.

    The pattern sin(1.7 n + 0.3) over the flattened result has no symmetry to hide behind.
    For a module: the gradients of its parameters, as a list.
    """
    if isinstance(result, list | tuple) and result:
        result = result[0]
    if not isinstance(result, _Tensor) or not result.requires_grad:
        return None
    wanted = list(argument.parameters()) if isinstance(argument, _Module) else [argument]
    pattern = _sin(1.7 * _arange(result.numel(), dtype=_float32) + 0.3)
    total = (result.reshape(-1) * pattern.to(result.dtype)).sum()
    found = _grad(total, wanted, allow_unused=True, retain_graph=True)
    dense = (g.to_dense() if g is not None and g.is_sparse else g for g in found)
    values = tuple(None if g is None else to_wire(g) for g in dense)
    return Items("list", values) if isinstance(argument, _Module) else values[0]


def outline(result: Any, depth: int = 0) -> Value:
    """What tells a large result from another one: its shape and some hundred numbers.

    The numbers are taken from the values themselves, so a result that was never computed
    has none: all of a small array; of a large one samples and the mean of each part.
    """
    if isinstance(result, dict) and len(result) <= PARTS and depth < 8:
        pairs = ((to_wire(key), outline(item, depth + 1)) for key, item in result.items())
        return Mapping(tuple(pairs))
    if isinstance(result, list | tuple) and len(result) <= PARTS and depth < 8:
        return Items("list", tuple(outline(item, depth + 1) for item in result))
    value = to_wire(result)
    if isinstance(value, Array):
        shape = Items("list", value.shape)
        return Mapping((("shape", shape), ("numbers", _sampled(to_tensor(value)))))
    if value is None or isinstance(value, bool | int | float | str | Whole | Complex):
        return value
    text = f"{getattr(result, 'dtype', '')} {tuple(getattr(result, 'shape', ()))}"
    return Opaque(type(result).__name__[:100], text[:200])


def _sampled(tensor: torch.Tensor) -> Value:
    """Numbers that stand for all; the sampled places follow no row or column."""
    flat = (torch.view_as_real(tensor) if tensor.is_complex() else tensor).reshape(-1)
    if flat.numel() <= SAMPLES:
        return to_wire(flat.double())
    places = ((_arange(SAMPLES, dtype=torch.float64) + 1) * GOLDEN % 1 * flat.numel()).long()
    means = [part.mean(dtype=torch.float64) for part in flat.chunk(PARTS)]
    return to_wire(torch.cat([flat[places].double(), torch.stack(means)]))
