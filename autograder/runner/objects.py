"""Objects that a call needs: of the student's own classes, or our stand-ins for them.

Not covered: whether an object uses its parameters correctly; the call tests that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

from autograder.runner.toolkit import toolkit
from autograder.wire.convert import from_wire
from autograder.wire.messages import Call
from autograder.wire.values import ConstructedObject, Module, Value

MISSING = object()
THEN = "(then)"  # among an object's arguments: a method that is called once it is made
DEVICE = "(device)"  # an argument that is the name of the call's device


class NotMade(Exception):
    """A student's class could not be instantiated; carries what it raised."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


class NotCopied(Exception):
    """An object cannot be copied at all, on any device."""


class NotLoaded(Exception):
    """An object does not accept the state dict of an equal object; carries what it raised."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


def find(namespace: dict[str, Any], name: str) -> Any:
    """The object with a (dotted) name, or ``MISSING``."""
    first, *rest = name.split(".")
    value = namespace.get(first, MISSING)
    for part in rest:
        value = getattr(value, part, MISSING)
    return value


def build(value: Value, namespace: dict[str, Any]) -> Any:
    """A fresh argument from the job's bytes. Raises ``NotMade`` for a student's class."""
    if isinstance(value, ConstructedObject):
        return _make(value, namespace)
    if isinstance(value, Module) and value.type == "Embedding":
        return toolkit(needed=True).module(value)
    return from_wire(value)


def _make(wish: ConstructedObject, namespace: dict[str, Any]) -> Any:
    if wish.target == DEVICE:
        return "cpu"
    if wish.ours:
        return toolkit(needed=True).stand_in(wish, lambda value: build(value, namespace))
    later = [value for value in wish.args if _is_later(value)]
    arguments = [build(value, namespace) for value in wish.args if not _is_later(value)]
    try:
        target = find(namespace, wish.target)
        if target is MISSING:
            raise NameError(f"name {wish.target!r} is not defined")
        made = target(*arguments)
        for call in later:
            method, *given = (build(value, namespace) for value in call.args)
            getattr(made, method)(*given)
        toolkit().fill(made, wish.slots)
    except BaseException as error:  # noqa: BLE001  SystemExit and interrupts are outcomes too
        raise NotMade(error) from None
    return made


def _is_later(value: Value) -> TypeGuard[ConstructedObject]:
    return isinstance(value, ConstructedObject) and value.target == THEN


def method_of(made: Any, name: str) -> Any:
    """A method of an object; "forward" is the object itself, so that hooks run."""
    if name == "forward" and callable(made):
        return made
    return getattr(made, name, MISSING)


def target_of(arguments: Sequence[Any], request: Call, found: Any) -> tuple[Any, list[Any]]:
    """The callable and its arguments: a function, or a method of the object in front."""
    first, _, method = request.target.partition(".")
    front = request.args[0] if request.args else None
    if method and isinstance(front, ConstructedObject) and front.target == first:
        if not arguments:
            return MISSING, []
        return method_of(arguments[0], method), list(arguments[1:])
    return found, list(arguments)
