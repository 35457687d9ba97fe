"""One call of a student's function: fresh arguments, quiet surroundings, a described result."""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from autograder.runner.errors import describe
from autograder.runner.frame_outline import frame_outline
from autograder.runner.objects import (
    MISSING,
    NotCopied,
    NotLoaded,
    NotMade,
    build,
    find,
    target_of,
)
from autograder.runner.toolkit import PARTS, Toolkit, needs_tensors, toolkit
from autograder.wire.convert import from_wire, to_wire
from autograder.wire.messages import COPYING, Call, Error, Outcome
from autograder.wire.values import (
    Array,
    Complex,
    ConstructedObject,
    DataFrame,
    Items,
    Mapping,
    Module,
    Opaque,
    Sparse,
    Value,
    Whole,
)

_seed_numpy, _seed_random = np.random.seed, random.seed
_encode = msgspec.msgpack.Encoder().encode


def seed_all(seed: int) -> None:
    """Seed the generators of Python, NumPy and, where it is used, torch."""
    _seed_random(seed)
    _seed_numpy(seed % 2**32)
    toolkit().seed(seed)


def read(namespace: dict[str, Any], name: str) -> Outcome:
    """The value of a name, or "missing"."""
    value = find(namespace, name)
    return Outcome("missing") if value is MISSING else Outcome("returned", to_wire(value))


def call(
    namespace: dict[str, Any], request: Call, restore: Callable[[], None] = lambda: None
) -> Outcome:
    """Call by position; returns the result, the arguments changed in place, and the gradients.

    ``restore`` undoes what the call did to the modules that describe all this.
    """
    kit = toolkit(needed=needs_tensors(request))
    kit.reset()
    seed_all(request.seed)
    if find(namespace, request.target.partition(".")[0]) is MISSING:
        return Outcome("missing")
    for stand_in in request.stand_ins:
        own = namespace.get(stand_in.name)
        namespace[stand_in.name] = kit.function(stand_in.kind, own)
    arguments: list[Any] = []
    try:
        with warnings.catch_warnings(), kit.surroundings(request.place):
            warnings.simplefilter("ignore")
            arguments = kit.bring(
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
                kit.state(one) if isinstance(sent, ConstructedObject) else b""
                for one, sent in zip(arguments, request.args, strict=True)
            ]
            for index in request.gradient:
                kit.track(arguments[index])
            with kit.cast(request.place):
                result = target(*positional)
            restore()  # the runner is as it was after the call
            gradients = kit.gradients(result, arguments, request)
    except NotCopied as refused:
        return Outcome("unsupported", error=Error(("NotCopied",), f"{COPYING}{refused}"))
    except NotLoaded as failed:
        return Outcome("raised", error=describe(failed.cause))
    except NotMade as failed:
        outcome = _raised(failed.cause, request, arguments, namespace)
        if outcome.error is None or outcome.status != "raised":
            return outcome
        # A constructor's exception is not a call's.
        return msgspec.structs.replace(outcome, error=_while_made(outcome.error))
    except BaseException as error:  # noqa: BLE001  SystemExit and interrupts are outcomes too
        return _raised(error, request, arguments, namespace)
    finally:
        toolkit().reset()
    return _returned(kit, result, arguments, before, gradients, request)


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
    kit: Toolkit,
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
                kit.state(now) != before[i]
                if isinstance(sent, ConstructedObject)
                else differs(now, sent)
            )
        )
    )
    value = outline(result) if request.discard else to_wire(result)
    if request.place is not None:
        value = kit.located(value, result)
    after = tuple(to_wire(kit.undressed(arguments[i])) for i in request.after)
    return Outcome("returned", value, None, changed, gradients, after)


def _raised(
    error: BaseException, request: Call, arguments: list[Any], names: dict[str, Any]
) -> Outcome:
    """An exception, with the rule of a simulated accelerator that was broken or what the simulation
    lacks."""
    described = describe(error)
    if request.place is None or not request.place.simulated:
        return Outcome("raised", error=described)
    lacking = toolkit().lacking(error)
    if lacking:
        return Outcome("unsupported", error=msgspec.structs.replace(described, text=lacking))
    fault = toolkit().fault(error, arguments, names)
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
            return to_wire(now).entries != sent.entries  # type: ignore[union-attr]
        except (AttributeError, TypeError, RuntimeError):
            return True
    if isinstance(sent, Array | Items | Mapping | DataFrame | Sparse):
        held = _encode(to_wire(now))
        # not every dtype of a data frame is rebuilt as it was
        return held != _encode(sent) and held != _encode(to_wire(from_wire(sent)))
    return False


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
        return Mapping((("shape", shape), ("numbers", toolkit().sampled(value))))
    if isinstance(value, DataFrame):
        return frame_outline(value)  # what of a table is no number is computed, too
    if value is None or isinstance(value, bool | int | float | str | Whole | Complex):
        return value
    text = f"{getattr(result, 'dtype', '')} {tuple(getattr(result, 'shape', ()))}"
    return Opaque(type(result).__name__[:100], text[:200])
