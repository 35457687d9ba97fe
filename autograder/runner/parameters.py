"""Objects with parameters: modules, our stand-ins, and the student's own, which get numbers.

Parameters are set by shape and never by name, since names are free.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch

from autograder.runner.dressed import dressed
from autograder.runner.stand_ins import OBJECTS
from autograder.wire.tensors import to_tensor
from autograder.wire.values import ConstructedObject, Module, Slot, Value

_Module, _Parameter, _Embedding = torch.nn.Module, torch.nn.Parameter, torch.nn.Embedding
_named_modules, _copy = _Module.named_modules, torch.Tensor.copy_
_no_grad, _equal, _count = torch.no_grad, torch.equal, torch.count_nonzero


class NoSuchParameter(Exception):
    """An object has no parameter of a required shape."""


def module_of(value: Module) -> Any:
    """A library module with these tensors."""
    weight = to_tensor(value.entries[0].array)
    module = _Embedding(weight.shape[0], weight.shape[1], _weight=weight)
    module.weight.requires_grad_(value.entries[0].learnable)
    return module.train(value.training)


def stand_in(wish: ConstructedObject, make: Callable[[Value], Any]) -> Any:
    """A stand-in object, with arguments that ``make`` builds. If its last argument is of the
    student's class and can be made, that object is returned, changed to do what ours does: names,
    methods and attributes are the student's."""
    plain = [make(value) for value in wish.args if not isinstance(value, ConstructedObject)]
    model = OBJECTS[wish.target](*plain)
    for like in (value for value in wish.args if isinstance(value, ConstructedObject)):
        with contextlib.suppress(Exception):  # a student's class may fail in its own way
            own = make(like)
            # A model that is handed in to be trained is of the student's class.
            return dressed(own, parameters_for(own, like.slots), model)
    return model


def parameters_for(
    made: Any, slots: tuple[Slot, ...], *, load: bool = False
) -> list[torch.nn.Parameter]:
    """The parameter for each slot, in order, with its value set if wanted. Raises
    ``NoSuchParameter``.

    If several parameters fit, one that was set from the slot before is preferred; in a new object,
    one that is zero as the slot says. Slots whose owner is present choose first; a parameter of
    another slot's owner is taken last.
    """
    free = _owned(made) if slots else []
    there = {owner for owners, _ in free for owner in owners}
    found: dict[int, torch.nn.Parameter] = {}
    for number, slot in sorted(enumerate(slots), key=lambda pair: pair[1].owner not in there):
        others = {other.owner for other in slots} - {slot.owner, ""}
        place = _place(free, slot, others, new=load)
        if place is None:
            raise NoSuchParameter(_says_missing(made, slot))
        _, parameter = free.pop(place)
        if load:
            numbers = to_tensor(slot.array)
            turned = is_turned(tuple(parameter.shape), slot.array.shape)
            with _no_grad():
                _copy(parameter, numbers.T if turned else numbers)
        found[number] = parameter
    return [found[number] for number in range(len(slots))]


def _owned(made: Any) -> list[tuple[frozenset[str], torch.nn.Parameter]]:
    """All parameters once, each with the classes (and their bases) of the module it belongs to."""
    if not isinstance(made, _Module):
        return []
    seen: set[int] = set()
    found = []
    for _, module in _named_modules(made):
        for parameter in module._parameters.values():
            if parameter is not None and id(parameter) not in seen:
                seen.add(id(parameter))
                owners = frozenset(one.__name__ for one in type(module).__mro__)
                found.append((owners, parameter))
    return found


def _place(
    free: list[tuple[frozenset[str], torch.nn.Parameter]],
    slot: Slot,
    others: set[str],
    *,
    new: bool,
) -> int | None:
    """Index of the parameter that a slot is for, decided by what it does, then whether it learns,
    then its shape (the slot's own, turned, or with a leading axis of length 1), then its owner,
    then the order."""
    shape = tuple(slot.array.shape)
    forms = list(dict.fromkeys((shape, shape[::-1], (1, *shape))))
    fit = [n for n, (_, parameter) in enumerate(free) if tuple(parameter.shape) in forms]
    if len(fit) < 2:
        return fit[0] if fit else None

    def rank(n: int) -> tuple[int, ...]:
        owners, parameter = free[n]
        # Gradients are read from the table that was filled.
        other = _starts_otherwise(parameter, slot) if new else not _set_from(parameter, slot)
        form = forms.index(tuple(parameter.shape))
        # A frozen table is no place for numbers while there is one that learns.
        return other, not parameter.requires_grad, form, *_far(owners, slot.owner, others), n

    return min(fit, key=rank)


def _starts_otherwise(parameter: torch.nn.Parameter, slot: Slot) -> bool:
    # Of tables of one shape the one that starts at zero is the head.
    return slot.zero is not None and slot.zero != (int(_count(parameter)) == 0)


def _set_from(parameter: torch.nn.Parameter, slot: Slot) -> bool:
    numbers = to_tensor(slot.array).to(parameter)
    turned = is_turned(tuple(parameter.shape), slot.array.shape)
    return _equal(parameter.detach(), (numbers.T if turned else numbers).expand_as(parameter))


def _far(owners: frozenset[str], owner: str, others: set[str]) -> tuple[bool, bool]:
    return bool(owner) and owner not in owners, bool(owners & others)


def is_turned(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether a parameter that was found for a shape has it transposed."""
    return shape not in (tuple(wanted), (1, *wanted))


def _buffers(made: Any) -> list[torch.Tensor]:
    modules = (module for _, module in _named_modules(made)) if isinstance(made, _Module) else ()
    return [
        buffer for module in modules for buffer in module._buffers.values() if buffer is not None
    ]


def _says_missing(made: Any, slot: Slot) -> str:
    shapes = ", ".join(str(list(parameter.shape)) for _, parameter in _owned(made)[:6])
    wanted = f"learnable parameter of shape {list(slot.array.shape)}"
    alike = any(parameter.shape == slot.array.shape for _, parameter in _owned(made))
    if alike:  # it is already taken, for another table of this shape
        return f"`{type(made).__name__}` should have another {wanted}; its shapes: {shapes}"
    if any(buffer.shape == slot.array.shape for buffer in _buffers(made)):
        return (
            f"`{type(made).__name__}` has no {wanted}; a buffer has this shape, but is not learned"
        )
    return f"`{type(made).__name__}` has no {wanted} (it has: {shapes or 'none'})"
