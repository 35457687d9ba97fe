"""Sources of arguments, and the values that they give."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.assignment.course_code import functions_of
from autograder.authoring.draft.source import MADE, STATE
from autograder.authoring.draft.trial import TrialCall
from autograder.wire.convert import to_wire
from autograder.wire.values import ConstructedObject, Value

SEED = 1
_PARAMETERS = '''

def _parameters(rng, *shapes):
    """Numbers for an object's parameters: the same for all of one shape, whose order is free."""
    made = {}
    for shape in shapes:
        numbers = rng.normal(size=shape)
        if len(shape) == 2 and shape[0] == shape[1]:
            numbers = numbers + numbers.T  # it may be held transposed
        made.setdefault(shape, numbers)
        made.setdefault(shape[::-1], np.transpose(numbers))
    return [torch.tensor(made[shape], dtype=torch.float32) for shape in shapes]
'''


def head(source: str) -> str:
    """The imports that these sources need, and what draws the parameters of objects."""
    text = _PARAMETERS + source if STATE in source else source
    found = "".join(
        f"import {module}\n"
        for module, prefix in (("numpy as np", "np."), ("torch", "torch."))
        if re.search(rf"\b{re.escape(prefix)}", text)
    )
    found += "\nfrom autograder.assignment.arguments import made\n" if MADE in source else ""
    return found + (_PARAMETERS if STATE in source else "")


def as_tuple(parts: Iterable[str]) -> str:
    """The source of a tuple."""
    several = list(parts)
    return f"({', '.join(several)}{',' if len(several) == 1 else ''})"


def parts_of(example: str) -> tuple[list[str], tuple[Any, ...]]:
    """The sources of the arguments in that of a tuple, and their values."""
    tree = ast.parse(example, mode="eval").body
    assert isinstance(tree, ast.Tuple)
    parts = [ast.get_source_segment(example, part) or "" for part in tree.elts]
    (values,) = evaluated([example], SEED)
    return parts, values


def evaluated(sources: Sequence[str], seed: int) -> list[Any]:
    """What the sources give; None for one that cannot be drawn. They are ours: numbers and texts of
    the notebook are literals."""
    text = "".join(
        f"\n\ndef case_{number}(rng):\n    return {source}\n"
        for number, source in enumerate(sources)
    )
    functions = functions_of(f"{head(text)}{text}".encode(), "inputs.py")
    made = []
    for number in range(len(sources)):
        try:
            made.append(functions[f"case_{number}"](np.random.default_rng(seed)))
        except (ValueError, TypeError, OverflowError):  # bounds without numbers between them
            made.append(None)
    return made


def trial_calls(
    target: str, sources: Sequence[str], seeds: Sequence[tuple[int, int]]
) -> Iterator[TrialCall]:
    """Calls with each of these arguments and each pair of seeds: of the arguments, and of the
    call."""
    for drawn_with, called_with in seeds:
        for source, args in zip(sources, evaluated(sources, drawn_with), strict=True):
            if args is not None:
                own = trial_id(target, source, (drawn_with, called_with))
                yield TrialCall(own, target, tuple(map(_wire, args)), called_with)


def trial_id(target: str, source: str, seeds: tuple[int, int]) -> str:
    """The id of such a call."""
    return f"{target}/{seeds[0]}/{seeds[1]}/{source}"


def _wire(argument: Any) -> Value:
    return argument if isinstance(argument, ConstructedObject) else to_wire(argument)
