"""What can be said about one value among the arguments of a call.

Each kind of value has a table, from the simplest statement to the most specific. In the words, the
names in braces are filled in by the subject (`subjects.py`). Nothing depends on a result, and no
number of an argument is in the words, except 0, 1 and 2.
Not covered: how long it is (`sizes.py`).
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.diagnosis.call_arguments import Part
from autograder.wire.values import Module

Judgement = Callable[[Part], bool | None]  # None: it does not apply


class Trait(NamedTuple):
    """A statement about a value, and its opposite where that reads naturally.

    ``implies``: the words of others that follow from it, of values they apply to.
    """

    words: str
    holds: Judgement
    otherwise: str = ""
    implies: tuple[str, ...] = ()


def _numbers(test: Callable[[Plain], object]) -> Judgement:
    """A test of real numbers, of which there must be one."""
    return lambda part: _if_any(part.numbers, test)


def _ids(test: Callable[[Plain], object]) -> Judgement:
    return lambda part: _if_any(part.ids, test)


def _rows(test: Callable[[Plain], object]) -> Judgement:
    """A test of ids with at least two axes."""
    return lambda part: None if part.ids is None or part.ids.ndim < 2 else _if_any(part.ids, test)


def _if_any(array: Plain | None, test: Callable[[Plain], object]) -> bool | None:
    return bool(test(array)) if array is not None and array.size else None


def _shape(test: Callable[[tuple[int, ...]], bool]) -> Judgement:
    return lambda part: None if part.shape is None else test(part.shape)


def _twice_in_a_row(ids: Plain) -> bool:
    ordered = np.sort(ids, axis=-1)
    return bool((ordered[..., 1:] == ordered[..., :-1]).any())


def _counts_up(ids: Plain) -> bool:
    return bool((ids == np.arange(ids.shape[-1])).all())


RANKS = (
    Trait("{name} {has} no axes", _shape(lambda s: not s)),
    Trait(
        "{name} {has} more than one axis",
        _shape(lambda s: len(s) > 1),
        "{name} {has} at most one axis",
    ),
    Trait(
        "{name} {has} more than two axes",
        _shape(lambda s: len(s) > 2),
        "{name} {has} at most two axes",
        implies=("{name} {has} more than one axis",),
    ),
)
AXES = (
    Trait("an axis{of} has length 1", _shape(lambda s: 1 in s), "no axis{of} has length 1"),
    Trait(
        "two axes{of} have the same length",
        _shape(lambda s: len(set(s)) < len(s)),
        "no two axes{of} have the same length",
    ),
    Trait("{name} {is} empty", _shape(lambda s: 0 in s), "{name} {is} not empty"),
    Trait(
        "there is only one {unit}{inside}",
        _shape(lambda s: math.prod(s) == 1),
        implies=("{name} {is} not empty",),
    ),
)
LAYOUT = (
    Trait(
        "{name} {is} not contiguous",
        lambda part: None if part.shape is None else not part.contiguous,
        "{name} {is} contiguous",
    ),
    Trait(
        "{name} {is} not on the CPU",
        lambda part: None if part.shape is None else getattr(part.value, "device", "cpu") != "cpu",
        "{name} {is} on the CPU",
    ),
)
NUMBERS = (
    Trait("{a} is 0", _numbers(lambda n: (n == 0).any()), "{no} is 0"),
    Trait("{a} is negative", _numbers(lambda n: (n < 0).any()), "{no} is negative"),
    Trait(
        "{name} {is} all zero",
        _numbers(lambda n: (n == 0).all()),
        implies=(
            "{a} is 0",
            "{no} is negative",
            "{no} is greater than 1",
            "{every} is whole",
            "all {unit}s{inside} are equal",
        ),
    ),
    Trait(
        "all {unit}s{inside} are equal",
        lambda part: _if_any(
            part.numbers if part.numbers is not None and part.numbers.size > 1 else None,
            lambda n: (n == n.flat[0]).all(),
        ),
    ),
)
FRACTIONS = (
    Trait("{a} is greater than 1", _numbers(lambda n: (n > 1).any()), "{no} is greater than 1"),
    Trait("{a} is not whole", _numbers(lambda n: (n != np.trunc(n)).any()), "{every} is whole"),
    Trait("{a} is NaN", _numbers(lambda n: np.isnan(n).any()), implies=("{a} is not whole",)),
    Trait("{a} is infinite", _numbers(lambda n: np.isinf(n).any())),
    Trait(
        "a row{of} is all zero",
        lambda part: _if_any(
            part.numbers if part.shape and len(part.shape) > 1 else None,
            lambda n: (n == 0).all(axis=-1).any(),
        ),
        implies=("{a} is 0",),
    ),
)
FLAGS = (
    Trait(
        "no value{inside} is True",
        lambda part: _if_any(part.flags, lambda n: not n.any()),
        implies=("a value{inside} is False",),
    ),
    Trait(
        "a value{inside} is False",
        lambda part: _if_any(part.flags, lambda n: not n.all()),
        "every value{inside} is True",
    ),
)
IDS = (
    Trait(
        "{a} occurs twice", _ids(lambda ids: np.unique(ids).size < ids.size), "{no} occurs twice"
    ),
    Trait(
        "{name} {is} not in ascending order",
        _ids(lambda ids: (ids[..., 1:] < ids[..., :-1]).any()),
        "{name} {is} in ascending order",
    ),
    Trait(
        "the first {unit}{inside} is 0", _ids(lambda ids: ids.flat[0] == 0), implies=("{a} is 0",)
    ),
    Trait(
        "the last {unit}{inside} is 0", _ids(lambda ids: ids.flat[-1] == 0), implies=("{a} is 0",)
    ),
    Trait(
        "a row{of} has the same {unit} twice",
        _rows(_twice_in_a_row),
        "no row{of} has the same {unit} twice",
        implies=("{a} occurs twice",),
    ),
    Trait(
        "two rows{of} are equal",
        _rows(
            lambda ids: (
                np.unique(ids.reshape(-1, ids.shape[-1]), axis=0).shape[0] * ids.shape[-1]
                < ids.size
            )
        ),
        implies=("{a} occurs twice",),
    ),
    Trait(
        "{name} {is} 0, 1, 2 and so on",
        _ids(_counts_up),
        "{name} {is} not 0, 1, 2 and so on",
        implies=("{name} {is} in ascending order", "the first {unit}{inside} is 0"),
    ),
)
ITEMS = (
    Trait(
        "an item{inside} occurs twice",
        lambda part: len(set(map(repr, part.items))) < len(part.items) if part.items else None,
        "no item{inside} occurs twice",
    ),
)


def _texts(test: Callable[[str], object]) -> Judgement:
    """A test of a text, or whether it is true of any in a list."""
    return lambda part: any(map(test, part.texts)) if part.texts else None


def _known(test: Callable[[Sequence[bool]], bool]) -> Judgement:
    """A test of which words are known, of which there must be one."""
    return lambda part: test(part.known) if part.known else None


TEXTS = (
    Trait("{text} is empty", _texts(lambda t: not t), implies=("{text} has no words",)),
    Trait("{text} has no words", _texts(lambda t: not t.strip())),
    Trait(
        "{text} has capital letters", _texts(lambda t: t != t.lower()), "{no_text} capital letters"
    ),
    Trait(
        "a word{inside} is unknown",
        _known(lambda known: not all(known)),
        "every word{inside} is known",
    ),
    Trait(
        "no word{inside} is known",
        _known(lambda known: not any(known)),
        "a word{inside} is known",
        implies=("a word{inside} is unknown",),
    ),
    Trait(
        "a word{inside} occurs twice",
        lambda part: (
            any(len(set(words)) < len(words) for words in part.words) if part.texts else None
        ),
        "no word{inside} occurs twice",
    ),
    Trait("{text} has two spaces in a row", _texts(lambda t: "  " in t)),
    Trait("{text} begins or ends with a space", _texts(lambda t: t != t.strip())),
    Trait("{text} has more than one line", _texts(lambda t: "\n" in t.strip())),
    Trait(
        "{text} has punctuation",
        _texts(lambda t: any(c in string.punctuation for c in t)),
        "{no_text} punctuation",
    ),
    Trait("{text} has digits", _texts(lambda t: any(map(str.isdigit, t))), "{no_text} digits"),
    Trait("{text} has characters outside ASCII", _texts(lambda t: not t.isascii())),
    Trait(
        "the texts{inside} have different numbers of words",
        lambda part: len(set(map(len, part.words))) > 1 if len(part.words) > 1 else None,
        "the texts{inside} have the same number of words",
    ),
)
DICTIONARIES = (
    Trait(
        "the values of {name} are not in ascending order",
        lambda part: _if_any(part.mapped, lambda values: (values[1:] < values[:-1]).any()),
        "the values of {name} are in ascending order",
    ),
    Trait(
        "the values of {name} are 0, 1, 2 and so on",
        lambda part: _if_any(part.mapped, _counts_up),
        "the values of {name} are not 0, 1, 2 and so on",
        implies=("the values of {name} are in ascending order",),
    ),
)


def _float(test: Callable[[float], bool]) -> Judgement:
    return lambda part: test(part.value) if isinstance(part.value, float) else None


SINGLE = (
    Trait("{name} is 0", _float(lambda n: n == 0), "{name} is not 0"),
    Trait("{name} is 1", _float(lambda n: n == 1), "{name} is not 1", ("{name} is whole",)),
    Trait("{name} is negative", _float(lambda n: n < 0), "{name} is not negative"),
    Trait("{name} is greater than 1", _float(lambda n: n > 1), "{name} is not greater than 1"),
    Trait("{name} is not whole", _float(lambda n: not n.is_integer()), "{name} is whole"),
    Trait("{name} is NaN", _float(math.isnan), implies=("{name} is not whole",)),
    Trait("{name} is infinite", _float(math.isinf), implies=("{name} is not whole",)),
    Trait(
        "{name} is True",
        lambda part: part.value if isinstance(part.value, bool) else None,
        "{name} is False",
    ),
    Trait(
        "{name} is in evaluation mode",
        lambda part: not part.value.training if isinstance(part.value, Module) else None,
        "{name} is in training mode",
    ),
)


class TraitTable(NamedTuple):
    """What can be said of one kind of value."""

    applies: Callable[[Part], object]
    traits: tuple[Trait, ...]


TABLES = (
    TraitTable(lambda part: part.shape is not None, LAYOUT),
    TraitTable(lambda part: part.numbers is not None, NUMBERS),
    TraitTable(lambda part: part.numbers is not None and part.ids is None, FRACTIONS),
    TraitTable(lambda part: part.flags is not None, FLAGS),
    TraitTable(lambda part: part.ids is not None, IDS),
    TraitTable(lambda part: part.items is not None and part.ids is None, ITEMS),
    TraitTable(lambda part: part.texts, TEXTS),
    TraitTable(lambda part: part.mapped is not None, DICTIONARIES),
    TraitTable(lambda part: isinstance(part.value, bool | float | Module), SINGLE),
)
