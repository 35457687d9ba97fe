"""Explains results by several known mistakes together, each of which accounts for some calls.

A mistake is recognised by what it does to the calls that it touches: those in which its result is
not the right one. A set of mistakes fits if every wrong call is wrong as in one of them, and no
call is right that one of them touches. It is looked for in the checks' own calls, and must then
predict the small calls, which were made for it.

Not covered: two mistakes that both change the result of one call, so that it equals neither's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from autograder.assignment.kinds import Check
from autograder.judging.checks.explain import short
from autograder.judging.diagnosis.case_trial import CaseOutcome
from autograder.judging.diagnosis.decoded_run import Evidence
from autograder.judging.diagnosis.judged_check import JudgedCheck
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.diagnosis.likeness import same_answer
from autograder.wire.messages import Probe

MOST_TOGETHER = 3
LEAST_OWN = 2  # calls that a mistake must account for, and no other of the set
MOST_CALLS = 150  # that are compared with each mistake


class Composition(NamedTuple):
    """Known mistakes that together account for every wrong call; ``raised``: the exception of the
    others, if there are others and all of them raise it."""

    mistakes: tuple[KnownMistake, ...]
    raised: str = ""

    @property
    def words(self) -> str:
        """The texts of the mistakes, one after the other."""
        told = " In addition: ".join(mistake.said.tell for mistake in self.mistakes)
        return f"{told} In addition, some calls raise {self.raised}." if self.raised else told


class _Calls(NamedTuple):
    """Some calls as bits: which are ``wrong``, and which of those raise; for each mistake the wrong
    calls that it touches and those with its result (``equal``), none if a right one refutes it."""

    wrong: int
    raises: int
    touched: tuple[int, ...]
    equal: tuple[int, ...]

    def of(self, mistakes: Sequence[int]) -> _Calls:
        """These calls, with some of the mistakes alone."""
        touched, equal = (tuple(one[m] for m in mistakes) for one in (self.touched, self.equal))
        return self._replace(touched=touched, equal=equal)

    def fits(self, chosen: Sequence[int], rest: int) -> bool:
        """Whether these mistakes account for all wrong calls but the ``rest``."""
        whole = rest
        for m in chosen:
            whole |= self.equal[m] & self.touched[m]
        return whole == self.wrong | rest

    def own(self, chosen: Sequence[int], which: int) -> int:
        """How many calls one of these mistakes accounts for, and no other."""
        mine = self.equal[which] & self.touched[which]
        for other in chosen:
            if other != which:
                mine &= ~(self.equal[other] & self.touched[other])
        return mine.bit_count()


def composed(
    near: Sequence[JudgedCheck],
    runs: tuple[Evidence, Evidence],
    bank: Sequence[KnownMistake],
    small: tuple[Sequence[CaseOutcome], Evidence, Evidence],
) -> Composition | None:
    """The smallest set of known mistakes that accounts for a function's results; None if there is
    none, or several. ``near``: the checks of the function; ``runs``: the student's and the
    reference's; ``small``: the small calls, with both answers to them."""
    pairs = [(other.check, probe) for other in near for probe in other.probes][:MOST_CALLS]
    ids = {other.check.id for other in near}
    outcomes, *fresh_runs = small
    fresh = [
        (o.trial.check, p)
        for o in outcomes
        for p in o.trial.probes
        # a call that no mistake was asked refutes none
        if o.trial.check.id in ids and any(m.evidence.run.probe(p.id) for m in bank)
    ]
    asked_fresh = _calls(fresh, tuple(fresh_runs), bank)
    # each must predict some small call; this is also much the cheaper part
    kept = [number for number in range(len(bank)) if asked_fresh.own((), number)]
    if not kept:
        return None
    bank, asked_fresh = [bank[number] for number in kept], asked_fresh.of(kept)
    given = _calls(pairs, runs, bank)
    found = list(_sets(given, asked_fresh, len(bank)))
    if not found:
        types = _exceptions(pairs, runs[0]), _exceptions(fresh, fresh_runs[0])
        return _with_exception(given, asked_fresh, bank, types)
    fewest = min(map(len, found))
    texts = {tuple(bank[m].said.tell for m in one) for one in found if len(one) == fewest}
    # Of several sets that fit none is told.
    if len(texts) != 1:
        return None
    chosen = next(one for one in found if len(one) == fewest)
    return Composition(tuple(bank[m] for m in sorted(chosen, key=lambda m: -_cost(given, m))))


def _sets(given: _Calls, fresh: _Calls, count: int) -> Iterator[tuple[int, ...]]:
    useful = [m for m in range(count) if given.own((), m)]
    for size in range(2, MOST_TOGETHER + 1):
        for chosen in itertools.combinations(useful, size):
            if not given.fits(chosen, 0) or any(given.own(chosen, m) < LEAST_OWN for m in chosen):
                continue
            if fresh.wrong and fresh.fits(chosen, 0):
                yield chosen


def _with_exception(
    given: _Calls,
    fresh: _Calls,
    bank: Sequence[KnownMistake],
    types: tuple[frozenset[str], frozenset[str]],
) -> Composition | None:
    """One mistake, where all wrong calls but its own raise one kind of exception. ``types``: those
    that the checks' own calls and the small calls raise."""
    found = [
        m
        for m in range(len(bank))
        if given.own((), m) >= LEAST_OWN
        and given.fits((m,), given.raises)
        and fresh.own((), m)
        and fresh.fits((m,), fresh.raises)
    ]
    texts = {bank[m].said.tell for m in found}
    own, small = types
    # An exception is named as small calls name it, which meet no hidden input.
    if len(texts) != 1 or len(own) != 1 or own != small:
        return None
    return Composition((bank[found[0]],), short(min(small), 60))


def _exceptions(pairs: Sequence[tuple[Check, Probe]], own: Evidence) -> frozenset[str]:
    """The types of the exceptions that these calls raise."""
    claims = (own.claim(probe.id) for _, probe in pairs)
    errors = (claim.error for claim in claims if claim is not None)
    return frozenset(error.types[0] for error in errors if error is not None and error.types)


def _calls(
    pairs: Sequence[tuple[Check, Probe]],
    runs: tuple[Evidence, ...],
    bank: Sequence[KnownMistake],
) -> _Calls:
    own, right = runs
    wrong = raises = 0
    for place, (check, probe) in enumerate(pairs):
        claim = own.claim(probe.id)
        wrong |= (not same_answer(check, probe, own, right)) << place
        raises |= (claim is not None and claim.status == "raised") << place
    bad = [(place, *pair) for place, pair in enumerate(pairs) if wrong >> place & 1]
    fine = [pair for place, pair in enumerate(pairs) if not wrong >> place & 1]
    touched, equal = [], []
    for mistake in bank:
        theirs = mistake.evidence
        refuted = any(not same_answer(*pair, theirs, right) for pair in fine)
        own_bad = () if refuted else bad
        same = sum(same_answer(c, p, own, theirs) << place for place, c, p in own_bad)
        apart = ((not same_answer(c, p, theirs, right)) << place for place, c, p in own_bad)
        equal.append(same)
        touched.append(sum(apart) if same else 0)
    return _Calls(wrong, raises & wrong, tuple(touched), tuple(equal))


def _cost(calls: _Calls, mistake: int) -> int:
    return calls.touched[mistake].bit_count()
