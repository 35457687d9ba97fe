"""Carries out a call on another device, in another dtype, or both.

Arguments are made as for every call, converted, and moved; what the student's code then does with
them is its own.

Covered: tensors, modules and objects of students' classes as arguments, also in lists; where the
tensors of a result are. Not covered: where a result was before its final place.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
import torch

from autograder.runner.objects import DEVICE, NotCopied, NotLoaded
from autograder.runner.simulated_device.accelerator import SimulatedAccelerator
from autograder.runner.simulated_device.labels import device_of
from autograder.wire.messages import Call, CallEnvironment
from autograder.wire.values import Array, ConstructedObject, Items, Mapping, Module, Value

_Tensor, _Module = torch.Tensor, torch.nn.Module
_to, _is_floating_point = torch.Tensor.to, torch.Tensor.is_floating_point
_named_parameters, _named_buffers = _Module.named_parameters, _Module.named_buffers
_deepcopy, _set_threads, _autocast = copy.deepcopy, torch.set_num_threads, torch.autocast
_set_default_dtype = torch.set_default_dtype
_DTYPES = {name: getattr(torch, name) for name in ("float64", "float32", "bfloat16", "float16")}


@contextlib.contextmanager
def surroundings(place: CallEnvironment | None) -> Iterator[None]:
    """The simulated accelerator and the number of threads that a place asks for."""
    if place is None:
        yield
        return
    _set_threads(max(1, place.threads))
    try:
        with SimulatedAccelerator() if place.simulated else contextlib.nullcontext():
            yield
    finally:
        _set_threads(1)


def cast(place: CallEnvironment | None) -> contextlib.AbstractContextManager[Any]:
    """``torch.autocast`` and the default type as a place asks for them, or nothing."""
    if place is not None and place.default_dtype:
        _set_default_dtype(_DTYPES[place.default_dtype])  # the caller restores it
    if place is None or not place.autocast:
        return contextlib.nullcontext()
    return _autocast(place.device, dtype=_DTYPES[place.autocast])


def bring(
    request: Call, make: Callable[[Value], Any], call: Callable[[list[Any]], object]
) -> list[Any]:
    """Fresh arguments of a call, converted and on their device, objects in the wished way.

    ``make`` builds one argument; ``call`` calls the target with such arguments. Raises what these
    raise, ``NotCopied`` and ``NotLoaded``.
    """
    arguments = [make(value) for value in request.args]
    place = request.place
    if place is None:
        return arguments
    objects = [
        i
        for i, one in enumerate(request.args)
        if isinstance(one, ConstructedObject) and not one.ours
    ]
    if objects and place.way == "used":
        # Objects that were used before they move.
        call([_each(argument, partial(_moved, device="cpu")) for argument in arguments])
        fresh = [None if i in objects else make(sent) for i, sent in enumerate(request.args)]
        arguments = [arguments[i] if i in objects else fresh[i] for i in range(len(arguments))]
    for index in objects:
        if place.way == "copied":
            arguments[index] = _copied(arguments[index])
        elif place.way == "loaded":
            arguments[index] = _loaded(make(_bare(request.args[index])), arguments[index])
    return [
        _settled(one, sent, i, place)
        for i, (one, sent) in enumerate(zip(arguments, request.args, strict=True))
    ]


def _settled(argument: Any, sent: Value, index: int, place: CallEnvironment) -> Any:
    if isinstance(sent, ConstructedObject) and sent.target == DEVICE:
        return place.device
    if index not in place.fixed:
        for dtype in filter(None, (place.rounded, place.dtype)):
            argument = _each(argument, partial(_converted, dtype=_DTYPES[dtype]))
    if index in place.stays:
        return argument
    return _each(argument, lambda one: _moved(one, place.device))


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with each tensor and module in it changed."""
    if isinstance(value, _Tensor | _Module):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(_each(item, change) for item in value)
    if type(value) is dict:
        return {key: _each(item, change) for key, item in value.items()}
    return value


def _converted(one: Any, dtype: torch.dtype) -> Any:
    if isinstance(one, _Module):
        return one.to(dtype)
    return _to(one, dtype) if _is_floating_point(one) else one


def _moved(one: Any, device: str) -> Any:
    if not isinstance(one, _Module):
        return _to(one, device)
    there = one.to(device)
    if not isinstance(there, _Module):  # a module whose own to returns nothing
        raise TypeError(f"the module's own `to` returns {type(there).__name__}, not the module")
    return there


def _copied(one: Any) -> Any:
    try:
        return _deepcopy(one)
    except Exception as refused:  # noqa: BLE001  a student's class may refuse in its own way
        raise NotCopied(str(refused)) from None


def _loaded(one: Any, other: Any) -> Any:
    """An object with another one's state dict; objects without one are left unchanged."""
    if not isinstance(one, _Module) or not isinstance(other, _Module):
        return other
    try:
        one.load_state_dict(other.state_dict())
    except Exception as error:  # noqa: BLE001  as above
        raise NotLoaded(error) from None
    return one


def _bare(sent: Value) -> Value:
    """A copy of an object with its own numbers."""
    return msgspec.structs.replace(sent, slots=()) if isinstance(sent, ConstructedObject) else sent


def located(value: Value, thing: Any) -> Value:
    """A wire value with the devices of its tensors; ``thing`` is the object that it was made of."""
    if isinstance(value, Array) and isinstance(thing, _Tensor):
        device = device_of(thing).type
        return value if device == value.device else msgspec.structs.replace(value, device=device)
    if isinstance(value, Items) and isinstance(thing, list | tuple):
        pairs = zip(value.items, thing, strict=False)
        return msgspec.structs.replace(value, items=tuple(located(*pair) for pair in pairs))
    if isinstance(value, Mapping) and isinstance(thing, dict):
        named = zip(value.items, dict.values(thing), strict=False)
        return Mapping(tuple((key, located(item, one)) for (key, item), one in named))
    if isinstance(value, Module) and isinstance(thing, _Module):
        tensors = dict(_named_parameters(thing)) | dict(_named_buffers(thing))
        entries = tuple(
            msgspec.structs.replace(entry, array=located(entry.array, tensors.get(entry.name)))
            for entry in value.entries
        )
        return msgspec.structs.replace(value, entries=entries)
    return value
