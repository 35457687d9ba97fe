"""Which known mistakes fit a wrong check: strict about its function, tolerant about the rest.

A mistake is named only if the work behaves like it on every check of the same function or name:
equal where the mistake is wrong, right where the mistake is right. One check alone proves little: a
function that returns zeros has no gradient either, like one that detaches. Elsewhere in the
exercise no result may be wrong in another way than the mistake's, and at least half of the exercise
must behave like the mistake; checks that another known mistake explains do not count against it, so
two mistakes in two functions are both named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec

from autograder.judging.diagnosis.decoded_run import Evidence
from autograder.judging.diagnosis.judged_check import JudgedCheck
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.diagnosis.likeness import same_answer
from autograder.judging.verdict import Status
from autograder.wire.messages import Call, Outcome
from autograder.wire.values import Module, Opaque

_EXACT = frozenset({"dtype", "shape", "role", "learnable", "kind", "is_colorbar"})
_FREE = frozenset({"data", "container", "device", "text", "texts", "title"})


class MistakeFit(Enum):
    """The outcome of one check for the student compared with that for a mistake."""

    EQUAL = "wrong, with the same results"
    WORDS = "wrong, in the same words"
    RIGHT = "right in both"
    DIFFERENT = "wrong in both, with different results"
    OTHERWISE = "wrong in both, in other words"
    SPARED = "wrong in the mistake alone"
    UNLIKE = "wrong in the student's work alone"
    OPEN = "unknown for one of them"


_UNKNOWN = frozenset({Status.SKIPPED, Status.UNGRADED, Status.MANUAL})
_SAME = frozenset({MistakeFit.EQUAL, MistakeFit.WORDS})
_AGAINST = frozenset(
    {MistakeFit.DIFFERENT, MistakeFit.OTHERWISE, MistakeFit.SPARED, MistakeFit.UNLIKE}
)

Standing = Mapping[str, MistakeFit]  # by check id


def stand(asked: JudgedCheck, ours: Evidence, mistake: KnownMistake) -> MistakeFit:
    """Compare one check's outcome with the mistake's."""
    finding = mistake.findings.get(asked.check.id)
    mine = asked.verdict.status
    if finding is None or mine in _UNKNOWN or finding.status in _UNKNOWN:
        return MistakeFit.OPEN
    passed = mine is Status.PASSED, finding.status is Status.PASSED
    if any(passed):
        return (
            MistakeFit.RIGHT
            if all(passed)
            else MistakeFit.SPARED
            if passed[0]
            else MistakeFit.UNLIKE
        )
    if finding.status is not mine or not asked.wrong:  # a name that is missing, a stop
        return MistakeFit.OPEN if finding.status is mine else MistakeFit.UNLIKE
    if same_evidence(asked, ours, mistake.evidence):
        return MistakeFit.EQUAL
    if asked.by_value:
        return MistakeFit.DIFFERENT
    return MistakeFit.WORDS if same_words(asked, ours, mistake) else MistakeFit.OTHERWISE


def same_evidence(asked: JudgedCheck, ours: Evidence, theirs: Evidence) -> bool:
    """Whether both runs answered every probe of a check in the same way."""
    return bool(asked.probes) and all(
        same_answer(asked.check, probe, ours, theirs) for probe in asked.probes
    )


def same_words(asked: JudgedCheck, ours: Evidence, mistake: KnownMistake) -> bool:
    """Whether a check's message is the same for both, including numbers, for results of one form.

    Messages count only if a name or a figure of the student's own differs: a table may be random.
    Calls get equal inputs, so there one mistake gives equal results.
    """
    finding, verdict, theirs = mistake.findings[asked.check.id], asked.verdict, mistake.evidence
    same = finding.status is verdict.status and finding.message == verdict.message
    if not finding.message or not same or finding.mismatches != verdict.mismatches:
        return False
    own = [probe for probe in asked.probes if not isinstance(probe.request, Call)]
    if all(same_answer(asked.check, probe, ours, theirs) for probe in own):
        return False
    return all(same_form(ours.claim(p.id), theirs.claim(p.id)) for p in asked.probes)


def fitting(
    every: Sequence[JudgedCheck], ours: Evidence, bank: Sequence[KnownMistake]
) -> dict[str, tuple[KnownMistake, ...]]:
    """For each wrong check of one exercise, the known mistakes that fit it best, equally well."""
    wrong = [asked for asked in every if asked.wrong]
    like = [m for m in bank if any(stand(asked, ours, m) in _SAME for asked in wrong)]
    standings = [
        (mistake, {a.check.id: stand(a, ours, mistake) for a in every}) for mistake in like
    ]
    near = {
        asked.check.id: [
            (mistake, standing)
            for mistake, standing in standings
            if standing[asked.check.id] in _SAME and _agrees_near(asked, every, standing)
        ]
        for asked in wrong
    }
    explained = {id_ for id_, found in near.items() if found}
    return {id_: _best(found, explained) for id_, found in near.items()}


def _agrees_near(asked: JudgedCheck, every: Sequence[JudgedCheck], standing: Standing) -> bool:
    """Whether nothing about the same function or name differs, and no other result does."""
    others = [other for other in every if asked.elsewhere or not other.elsewhere]
    far = any(standing[other.check.id] is MistakeFit.DIFFERENT for other in others)
    return not far and not any(standing[o.check.id] in _AGAINST for o in others if o.near(asked))


def _best(
    found: Sequence[tuple[KnownMistake, Standing]], explained: set[str]
) -> tuple[KnownMistake, ...]:
    """Those that agree with most of the exercise, preferring results to messages."""
    scored = [(_score(s), m) for m, s in found if _agrees_far(s, explained)]
    most = max((score for score, _ in scored), default=None)
    return tuple(mistake for score, mistake in scored if score == most)


def _agrees_far(standing: Standing, explained: set[str]) -> bool:
    """Most of what the mistake breaks is broken in the same way, and half of the exercise
    agrees."""
    stands = list(standing.values())
    alike, spared = sum(s in _SAME for s in stands), stands.count(MistakeFit.SPARED)
    unlike = sum(s is MistakeFit.UNLIKE for id_, s in standing.items() if id_ not in explained)
    return alike > spared and _score(standing)[0] >= spared + unlike


def _score(standing: Standing) -> tuple[int, int]:
    stands = list(standing.values())
    equal = stands.count(MistakeFit.EQUAL)
    return equal + stands.count(MistakeFit.WORDS) + stands.count(MistakeFit.RIGHT), equal


def same_form(one: Outcome | None, other: Outcome | None) -> bool:
    """Whether two answers both returned values of one form (types, lengths and shapes, whatever the
    numbers), or raised one class of exception.

    A check on a student's own random table gives its finding in words, and these may be the same
    for a list of ids and for a list of words.
    """
    if one is None or other is None or one.status != other.status:
        return one is other
    if one.error is not None and other.error is not None:
        return one.error.types == other.error.types
    return _alike(one.value, other.value)


def _alike(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, Opaque):
        return bool(one.type == other.type)
    if isinstance(one, Module):
        return _alike(one.entries, other.entries)
    if isinstance(one, msgspec.Struct):
        names = [n for n in one.__struct_fields__ if n not in _FREE]
        return all(_field(n, getattr(one, n), getattr(other, n)) for n in names)
    return True


def _field(name: str, one: Any, other: Any) -> bool:
    return bool(one == other) if name in _EXACT else _alike(one, other)
