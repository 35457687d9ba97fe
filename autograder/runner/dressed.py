"""A student's own object that behaves as a stand-in does: it keeps all that its class defines.

Covered: names of parameters, attributes and other methods. Not covered: methods that call the
class's own ``forward`` by another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

from autograder.runner.stand_ins import LanguageModel, Speaks, WatchedLanguageModel, and_now

_named_parameters, _no_grad = torch.nn.Module.named_parameters, torch.no_grad


class _Dressed(Speaks):
    """Added to the class of a student's model: the object keeps all its attributes but computes
    what our model does. The tables are found by name, since moving a module may exchange its
    parameters."""

    _autograder_tables: tuple[tuple[str, bool, torch.Size], ...]
    _autograder_kept: torch.Tensor | None

    def tables(self) -> list[torch.Tensor]:
        """The student's two parameters, turned back and without leading axes."""
        return [straight(parameter) for parameter, straight in self._parameters_now()]

    def watch(self) -> None:
        """Keep tables and gradients as they are now, if the model that this object replaces does
        so."""
        if self._autograder_kept is not None:
            gradients = [
                None if parameter.grad is None else straight(parameter.grad)
                for parameter, straight in self._parameters_now()
            ]
            kept = and_now(self._autograder_kept, self.tables(), gradients)
            self.__dict__["_autograder_kept"] = kept

    def _parameters_now(
        self,
    ) -> Iterator[tuple[torch.nn.Parameter, Callable[[torch.Tensor], torch.Tensor]]]:
        """The two parameters, each with a function that makes a table [V, D] of it or of its
        gradient."""
        held = dict(_named_parameters(self))  # type: ignore[arg-type]
        for name, turned, shape in self._autograder_tables:
            yield held[name], partial(_straight, turned=turned, shape=shape)


def _straight(tensor: torch.Tensor, *, turned: bool, shape: torch.Size) -> torch.Tensor:
    return (tensor.T if turned else tensor).reshape(shape)


def dressed(
    own: torch.nn.Module, parameters: list[torch.nn.Parameter], model: LanguageModel
) -> torch.nn.Module:
    """The student's ``own`` object, made to do what ``model`` does, with ``parameters`` in the
    order of its tables; ``model`` itself if the object does not have these parameters or has others
    to learn."""
    named = {id(one): name for name, one in _named_parameters(own)}
    learnable = {id(one) for _, one in _named_parameters(own) if one.requires_grad}
    # Of a wrong class no model is handed in.
    if {id(parameter) for parameter in parameters} != learnable or len(learnable) != len(named):
        return model
    shapes = [table.shape for table in model.tables()]
    own.__dict__["_autograder_tables"] = tuple(
        (named[id(one)], one.dim() == 2 and one.shape != shape, shape)
        for one, shape in zip(parameters, shapes, strict=True)
    )
    own.__dict__["_autograder_kept"] = getattr(model, "kept", None)
    for parameter, ours in zip(parameters, model.tables(), strict=True):
        if ours.grad is not None:
            turned = parameter.dim() == 2 and parameter.shape != ours.shape
            parameter.grad = (ours.grad.T if turned else ours.grad).reshape(parameter.shape).clone()
    own.__class__ = type(type(own).__name__, (_Dressed, type(own)), {})
    return own


def undressed(thing: Any) -> Any:
    """The model behind a dressed object, with its numbers; any other object unchanged."""
    if not isinstance(thing, _Dressed):
        return thing
    with _no_grad():
        tables = [own.detach().clone() for own in thing.tables()]
    if thing._autograder_kept is None:
        return LanguageModel(*tables)
    model = WatchedLanguageModel(*tables)
    model.kept = thing._autograder_kept
    return model
