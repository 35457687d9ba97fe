"""Compares a student's results with another run's as pairs of arrays, and finds how they differ.

All results of one function are taken together: a change must hold in every call of every check.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autograder.assignment.kinds import Check
from autograder.judging.checks.arrays import Numeric, numeric
from autograder.judging.diagnosis.decoded_run import Evidence
from autograder.judging.diagnosis.judged_check import JudgedCheck
from autograder.judging.diagnosis.likeness import bounds_of, rules_for
from autograder.judging.diagnosis.transforms.change import ComparedPair, Transform
from autograder.judging.diagnosis.transforms.frames import FramePair, recognise_frames
from autograder.judging.diagnosis.transforms.recognise import mostly_apart, recognise
from autograder.judging.verdict import Status
from autograder.wire.messages import Probe
from autograder.wire.values import DataFrame, Items, Mapping, Value

MAX_PAIRS = 256


def change_of(
    together: Sequence[JudgedCheck], ours: Evidence, theirs: Evidence, *, clear: bool = False
) -> Transform | None:
    """How all results of these checks differ from the other run's, if in one simple way.
    ``clear``: only if that proves much."""
    pairs = _all_pairs(together, ours, theirs)
    if pairs is None:
        frames = _all_frames(together, ours, theirs)
        return recognise_frames(frames) if frames else None
    return recognise(pairs, clear=clear) if pairs else None


def far_from(together: Sequence[JudgedCheck], ours: Evidence, theirs: Evidence) -> bool:
    """Whether most numbers differ, by more than rounding of any kind."""
    pairs = _all_pairs(together, ours, theirs)
    return pairs is not None and mostly_apart(pairs)


def _all_pairs(
    together: Sequence[JudgedCheck], ours: Evidence, theirs: Evidence
) -> list[ComparedPair] | None:
    """The arrays of all results; None if one has none, or too many."""
    pairs: list[ComparedPair] = []
    for judged in together:
        for probe in judged.probes:
            new = _pairs(judged.check, probe, ours, theirs)
            if new is None or len(pairs) + len(new) > MAX_PAIRS:
                return None
            pairs += new
    return pairs


def _all_frames(
    together: Sequence[JudgedCheck], ours: Evidence, theirs: Evidence
) -> list[FramePair] | None:
    """The data frames of all results; None if one is something else."""
    pairs = []
    for judged in together:
        rules = rules_for(judged.check)
        for probe in judged.probes[:MAX_PAIRS]:
            mine, other = ours.claim(probe.id), theirs.claim(probe.id)
            if mine is None or other is None or mine.status != "returned":
                return None
            if not isinstance(mine.value, DataFrame) or not isinstance(other.value, DataFrame):
                return None
            pairs.append(FramePair(mine.value, other.value, rules.frame, rules.tolerance))
    return pairs


def together(asked: JudgedCheck, every: Sequence[JudgedCheck]) -> list[JudgedCheck]:
    """The checks whose results must be changed like this one's: checks near it that compare
    results.

    Gradients are separate from results; after a wrong result they say nothing new.
    """
    near = [other for other in every if other.near(asked)]
    slopes = [other for other in near if other.check.kind == "gradient"]
    if asked.check.kind == "gradient":
        rest = [other for other in near if other not in slopes]
        return [] if any(other.verdict.status is not Status.PASSED for other in rest) else slopes
    decisive = [o for o in near if o.by_value and not o.elsewhere]
    decisive = [o for o in decisive if o.check.kind not in ("gradient", "raises")]
    known = [o for o in decisive if o.wrong or o.verdict.status is Status.PASSED]
    return known if asked in known else [asked, *known]


def _pairs(
    check: Check, probe: Probe, ours: Evidence, theirs: Evidence
) -> list[ComparedPair] | None:
    """The arrays of one answer; None if one side has none, or another form."""
    mine, other = ours.claim(probe.id), theirs.claim(probe.id)
    if mine is None or other is None or {mine.status, other.status} != {"returned"}:
        return None
    if check.kind == "gradient":
        return _parts(check, mine.gradients, other.gradients)
    one, two = ours.numbers[probe.id], theirs.numbers[probe.id]
    if one is not None and two is not None:
        return _pair(check, one, two)
    return _arrays(check, mine.value, other.value)


def _arrays(check: Check, actual: Value, expected: Value) -> list[ComparedPair] | None:
    """Pairs of arrays, part by part in the other run's form; None if the forms differ."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        if [key for key, _ in actual.items] != [key for key, _ in expected.items]:
            return None
        return _parts(check, [v for _, v in actual.items], [v for _, v in expected.items])
    have, want = numeric(actual), numeric(expected)
    if have is not None and want is not None:
        return _pair(check, have, want)
    if isinstance(expected, Items) and isinstance(actual, Items):
        return _parts(check, actual.items, expected.items)
    plain = expected is None or isinstance(expected, bool | str)
    return [] if plain and type(actual) is type(expected) and actual == expected else None


def _parts(
    check: Check, actual: Sequence[Value], expected: Sequence[Value]
) -> list[ComparedPair] | None:
    if len(actual) != len(expected) or len(actual) > MAX_PAIRS:
        return None
    found = [_arrays(check, one, other) for one, other in zip(actual, expected, strict=True)]
    return None if None in found else _joined(found)


def _joined(found: Iterable[list[ComparedPair] | None]) -> list[ComparedPair]:
    return [pair for pairs in found for pair in pairs or ()]


def _pair(check: Check, actual: Numeric, expected: Numeric) -> list[ComparedPair] | None:
    if "bool" in (actual.dtype, expected.dtype):
        return None
    bounds = bounds_of(check, actual.dtype, expected.dtype, expected.shape)
    return [ComparedPair(actual.numbers, expected.numbers, bounds)]
