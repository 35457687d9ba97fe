"""Arguments for inputs.py that are more than numbers: objects made inside the box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.wire.convert import to_wire
from autograder.wire.values import Array, ConstructedObject, Slot

if TYPE_CHECKING:
    import torch


def made(
    target: str,
    *args: Any,
    state: Sequence[torch.Tensor | Slot] = (),
    then: Sequence[tuple[Any, ...]] = (),
) -> ConstructedObject:
    """An object of the student's class ``target``, made with ``args``; or what the student's
    function of this name returns.

    ``then`` are methods that are called on it, with their arguments: ``[("fit", X, y)]``. Its
    parameters are set from ``state``: each tensor goes into the parameter of its shape
    (or of the turned shape), never by name.
    """
    slots = tuple(value if isinstance(value, Slot) else slot(value) for value in state)
    later = (ConstructedObject("(then)", tuple(map(to_wire, call))) for call in then)
    return ConstructedObject(target, (*map(to_wire, args), *later), slots)


def slot(numbers: torch.Tensor, *, owner: str = "", zero: bool | None = None) -> Slot:
    """A tensor for ``state``. Among several parameters of its shape, ``zero`` picks one that is all
    zero in a new object (or is not), then ``owner`` one of a module of that class."""
    return Slot(_array(numbers), owner, zero)


def stand_in_model(table: torch.Tensor, max_seq_len: int) -> ConstructedObject:
    """A module for functions that take a model: ids [..., T] -> [..., T, D]; no exercise's answer.

    It returns rows of ``table`` [V, D] times a factor by position; ``max_seq_len`` is its limit. A
    gradient with respect to it is that of the table.
    """
    return ConstructedObject("(model)", (_array(table), max_seq_len), (slot(table),))


def stand_in_language_model(
    table: torch.Tensor,
    head: torch.Tensor,
    *,
    like: ConstructedObject | None = None,
    watched: bool = False,
    used: bool = False,
) -> ConstructedObject:
    """A module for functions that train a model; no exercise's answer. ``table`` and ``head`` [V,
    D] are its parameters, and it returns (logits, loss) for ids and targets (-1: left out).

    ``like`` is an object of a student's class with these two as its ``state``. If it can be made
    and has nothing else to learn, it is passed instead and behaves like the stand-in. ``watched``:
    after the call, its buffer ``kept`` [calls, 2, 2, V, D] holds the parameters and their gradients
    at the first calls of the model. ``used``: its parameters already have gradients.
    """
    name = f"({'watched ' if watched else 'used ' if used else ''}language model)"
    return ConstructedObject(name, (_array(table), _array(head), *((like,) if like else ())))


def stand_in_tokenizer(words: Sequence[str]) -> ConstructedObject:
    """A tokenizer of whole words: ``encode``, ``decode`` and what ``transformers`` offers."""
    return ConstructedObject("(tokenizer)", (to_wire(list(words)),))


def by_columns(numbers: torch.Tensor) -> ConstructedObject:
    """A tensor of two or more axes that is stored column by column, like a transpose: not
    contiguous, so that ``view`` cannot flatten it."""
    return ConstructedObject("(by columns)", (_array(numbers),))


def device() -> ConstructedObject:
    """The name of the device that the call is to run on, such as "cpu" or "cuda"."""
    return ConstructedObject("(device)", ())


def _array(numbers: torch.Tensor) -> Array:
    array = to_wire(numbers)
    if not isinstance(array, Array):
        raise UsageError(f"a tensor of dtype {numbers.dtype} cannot be sent to the sandbox")
    return array
