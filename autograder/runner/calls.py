"""One call of a student's function: fresh arguments, quiet surroundings, a described result."""

from __future__ import annotations

import contextlib
import random
import warnings
from typing import Any

import msgspec
import numpy as np
import torch

from autograder.runner.dressed import undressed
from autograder.runner.errors import describe
from autograder.runner.objects import MISSING, NotMade, build, find, is_turned, parameters_for
from autograder.runner.pinned import pin
from autograder.runner.places import (
    NotCopied,
    NotLoaded,
    bring,
    cast,
    located,
    surroundings,
    target_of,
)
from autograder.runner.simulated_device.explain import fault_of
from autograder.runner.simulated_device.unsupported import not_simulated
from autograder.runner.stand_ins import FUNCTIONS, called_like, state_of
from autograder.wire.convert import to_wire
from autograder.wire.messages import COPYING, Call, Error, Outcome
from autograder.wire.tensors import module_to_wire, to_tensor
from autograder.wire.values import (
    Array,
    Complex,
    ConstructedObject,
    Items,
    Mapping,
    Module,
    Opaque,
    Value,
    Whole,
)

_Tensor, _Module = torch.Tensor, torch.nn.Module
_named_parameters = _Module.named_parameters
_set_dtype, _set_device, _set_grad = (
    torch.set_default_dtype,
    torch.set_default_device,
    torch.set_grad_enabled,
)
_set_autocast, _CAST = torch.set_autocast_enabled, ("cpu", "cuda")
_float32 = torch.float32
# torch.manual_seed asks every backend that could exist: 80 times the cost, 100 times per run
_seed_torch = torch.default_generator.manual_seed
_seed_numpy, _seed_random = np.random.seed, random.seed
_grad, _arange, _sin, _to = torch.autograd.grad, torch.arange, torch.sin, torch.Tensor.to
_encode = msgspec.msgpack.Encoder().encode
SAMPLES, PARTS = 256, 64
GOLDEN = 0.6180339887498949  # its multiples spread evenly over the unit interval


def seed_all(seed: int) -> None:
    """Seed the generators of Python, NumPy and torch."""
    _seed_random(seed)
    _seed_numpy(seed % 2**32)
    _seed_torch(seed)


def reset_surroundings() -> None:
    """Set torch's global switches as in a fresh process: a function is judged by what it does."""
    _set_device(None)
    _set_dtype(_float32)
    _set_grad(True)
    for device in _CAST:
        _set_autocast(device, False)  # guard: an autocast that is left open
    pin()  # guard: pinned: before every call


def read(namespace: dict[str, Any], name: str) -> Outcome:
    """The value of a name, or "missing"."""
    value = find(namespace, name)
    return Outcome("missing") if value is MISSING else Outcome("returned", to_wire(value))


def call(namespace: dict[str, Any], request: Call) -> Outcome:
    """Call by position; returns the result, the arguments changed in place, and the gradients."""
    reset_surroundings()
    seed_all(request.seed)
    if find(namespace, request.target.partition(".")[0]) is MISSING:
        return Outcome("missing")
    for stand_in in request.stand_ins:
        own = namespace.get(stand_in.name)
        # guard: a stand-in takes keywords as the student's own function does
        namespace[stand_in.name] = called_like(FUNCTIONS[stand_in.kind], own)
    arguments: list[Any] = []
    try:
        with warnings.catch_warnings(), surroundings(request.place):
            warnings.simplefilter("ignore")
            arguments = bring(
                request,
                lambda value: build(value, namespace),
                lambda given: _once(namespace, request, given),
            )
            if request.earlier:
                _earlier(namespace, request, arguments)
            seed_all(request.seed)
            target, positional = target_of(arguments, request, find(namespace, request.target))
            if target is MISSING:
                return Outcome("missing")
            before = [
                state_of(one) if isinstance(sent, ConstructedObject) else b""
                for one, sent in zip(arguments, request.args, strict=True)
            ]
            for index in request.gradient:
                if isinstance(arguments[index], _Tensor):
                    arguments[index].requires_grad_(True)
            with cast(request.place):
                result = target(*positional)
            gradients = _gradients(result, arguments, request)
    except NotCopied as refused:
        return Outcome("unsupported", error=Error(("NotCopied",), f"{COPYING}{refused}"))
    except NotLoaded as failed:
        return Outcome("raised", error=describe(failed.cause))
    except NotMade as failed:
        outcome = _raised(failed.cause, request, arguments, namespace)
        if outcome.error is None or outcome.status != "raised":
            return outcome
        # guard: a constructor's exception is not a call's
        return msgspec.structs.replace(outcome, error=_while_made(outcome.error))
    except BaseException as error:  # noqa: BLE001  SystemExit and interrupts are outcomes too
        return _raised(error, request, arguments, namespace)
    finally:
        reset_surroundings()
    return _returned(result, arguments, before, gradients, request)


def _once(namespace: dict[str, Any], request: Call, arguments: list[Any]) -> None:
    target, positional = target_of(arguments, request, find(namespace, request.target))
    target(*positional)


def _earlier(namespace: dict[str, Any], request: Call, arguments: list[Any]) -> None:
    """The earlier call on the same objects; how it ends does not matter."""
    given = [
        one if isinstance(sent, ConstructedObject) else build(value, namespace)
        for one, sent, value in zip(arguments, request.args, request.earlier, strict=True)
    ]
    seed_all(request.seed)
    with contextlib.suppress(Exception):
        _once(namespace, request, given)


def _returned(
    result: Any,
    arguments: list[Any],
    before: list[bytes],
    gradients: tuple[Value, ...],
    request: Call,
) -> Outcome:
    converted = request.place is not None and bool(request.place.dtype)
    changed = (
        ()
        if converted
        else tuple(
            i
            for i, (now, sent) in enumerate(zip(arguments, request.args, strict=True))
            if (
                # guard: parameters changed in place by a call
                state_of(now) != before[i]
                if isinstance(sent, ConstructedObject)
                else differs(now, sent)
            )
        )
    )
    value = outline(result) if request.discard else to_wire(result)
    if request.place is not None:
        value = located(value, result)
    after = tuple(to_wire(undressed(arguments[i])) for i in request.after)
    return Outcome("returned", value, None, changed, gradients, after)


def _raised(
    error: BaseException, request: Call, arguments: list[Any], names: dict[str, Any]
) -> Outcome:
    """An exception, with the rule of a simulated accelerator that was broken or what the simulation
    lacks."""
    described = describe(error)
    if request.place is None or not request.place.simulated:
        return Outcome("raised", error=described)
    lacking = not_simulated(error)
    if lacking:
        return Outcome("unsupported", error=msgspec.structs.replace(described, text=lacking))
    fault = fault_of(error, arguments=arguments, names=names)
    return Outcome("raised", error=described, fault=fault)


def _while_made(error: Error) -> Error:
    """An exception of a constructor, so that it never counts as one that a check asks a call to
    raise."""
    if "Exception" not in error.types or {"NotImplementedError", "MemoryError"} & {*error.types}:
        return error
    name = error.types[0] if error.types else "an exception"
    return msgspec.structs.replace(error, types=(f"{name} (while the object was made)",))


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


def _gradients(result: Any, arguments: list[Any], request: Call) -> tuple[Value, ...]:
    """For each requested argument: the gradient of sum(result * pattern)."""
    if not request.gradient:
        return ()
    if isinstance(result, list | tuple):
        result = result[request.output] if request.output < len(result) else None
    return tuple(_gradient(result, arguments[i], request, i) for i in request.gradient)


def _gradient(result: Any, argument: Any, request: Call, index: int) -> Value:
    """Gradient for one argument; None when no gradient reaches it.

    The pattern sin(1.7 n + phase) over the flattened result has no symmetry that could hide a
    mistake. For a module: its parameters' gradients as a list. For an object of the student's
    class: those of its slots, in their order, and the names of other parameters that no gradient
    reaches.
    """
    sent = request.args[index]
    if isinstance(sent, ConstructedObject) and isinstance(argument, _Module):
        own = parameters_for(argument, sent.slots)
        named = [(name, one) for name, one in _named_parameters(argument)]
        free = [(name, one) for name, one in named if one.requires_grad]
        others = [(name, one) for name, one in free if not any(one is slot for slot in own)]
        found = _toward(result, [*own, *(one for _, one in others)], request.seed)
        rest = zip(others, found[len(own) :], strict=True)
        unreached = [name for (name, _), g in rest if g is None]
        turned = [
            _like_slot(g, slot.array.shape) for g, slot in zip(found, sent.slots, strict=False)
        ]
        slots = Items("list", tuple(turned))
        return Mapping((("slots", slots), ("unreached", Items("list", tuple(unreached)))))
    if isinstance(argument, _Module):
        several = _toward(result, list(argument.parameters()), request.seed)
        return Items("list", tuple(None if g is None else to_wire(g) for g in several))
    alone = _toward(result, [argument], request.seed)[0]
    return None if alone is None else to_wire(alone)


def _toward(result: Any, wanted: list[Any], seed: int) -> list[torch.Tensor | None]:
    """Dense gradients of sum(result * pattern) for each tensor, None where none reaches it."""
    if not isinstance(result, _Tensor) or not result.requires_grad:
        return [None] * len(wanted)
    learnable = [one for one in wanted if one.requires_grad]
    if not learnable:
        return [None] * len(wanted)
    pattern = _sin(1.7 * _arange(result.numel(), dtype=_float32) + 0.3 + seed % 1009)
    total = (result.reshape(-1) * _to(pattern, result)).sum()
    if total.is_complex():
        total = total.real
    found = iter(_grad(total, learnable, allow_unused=True, retain_graph=True))
    every = [next(found) if one.requires_grad else None for one in wanted]
    return [g.to_dense() if g is not None and g.is_sparse else g for g in every]


def _like_slot(gradient: torch.Tensor | None, shape: tuple[int, ...]) -> Value:
    if gradient is None:
        return None
    turned = is_turned(tuple(gradient.shape), shape)
    return to_wire(gradient.T if turned else gradient.reshape(shape))


def outline(result: Any, depth: int = 0) -> Value:
    """What distinguishes a large result from another: its shape and about a hundred numbers.

    The numbers are taken from the values themselves, so a result that was never computed has none:
    all of a small array; samples and the mean of each part of a large one.
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
    """A sample of the numbers; the sampled places follow no row or column."""
    flat = (torch.view_as_real(tensor) if tensor.is_complex() else tensor).reshape(-1)
    if flat.numel() <= SAMPLES:
        return to_wire(flat.double())
    places = ((_arange(SAMPLES, dtype=torch.float64) + 1) * GOLDEN % 1 * flat.numel()).long()
    means = [part.mean(dtype=torch.float64) for part in flat.chunk(PARTS)]
    return to_wire(torch.cat([flat[places].double(), torch.stack(means)]))
