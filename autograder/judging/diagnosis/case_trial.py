"""One case of a check by itself: what the check finds in it, as if it had no other case."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from autograder.assignment.kinds import (
    Check,
    DeviceCheck,
    FunctionCheck,
    GradientCheck,
    PipelineCheck,
    RaisesCheck,
    RelationCheck,
)
from autograder.assignment.model import Exercise
from autograder.evidence.records import ProbeRun, Run, Stop
from autograder.judging.checks.finding import Args, Cases, Finding, Reference, Trial
from autograder.judging.checks.plan import IdentityKey, once
from autograder.judging.checks.registry import KINDS
from autograder.judging.verdict import Status
from autograder.wire.messages import Call, Probe

BY_CASES = (
    FunctionCheck,
    GradientCheck,
    RelationCheck,
    RaisesCheck,
    PipelineCheck,
    DeviceCheck,
)
WRONG = (Status.FAILED, Status.RAISED)
_SMALL = re.compile(r"[^/]+/small/[0-9a-f]{16}(?:/seed \d+|/again)?")  # the ids of small calls
MOST_CASES = 24  # of a check that are looked at one by one


@dataclass(frozen=True, slots=True)
class CaseTrial:
    """One case of a check. ``args``: of the call, or of the first of several. ``cases``: this case
    under its generator's name. ``ids``: of the probes, by the ids that the check gives them."""

    check: Check
    args: Args
    cases: Cases
    probes: tuple[Probe, ...]
    ids: Mapping[str, str]

    def look(
        self, exercise: str, run: Run, reference: Reference, *, ids: Mapping[str, str] | None = None
    ) -> Finding:
        """What the check finds in this case alone; ``ids``: of the answers, if other ones."""
        own = CaseView(run.cells, (), run.measured, run.lost, run=run, ids=ids or self.ids)
        right = msgspec.structs.replace(own, run=reference.run, ids=self.ids)
        trial = Trial(exercise, own, right, self.cases, reference.relations)
        return KINDS[self.check.kind].examine(self.check, trial)


class CaseOutcome(NamedTuple):
    """One case of a check, and what the check finds in it. ``steady``: as far as its calls were
    made a second time after others, the check found the same."""

    trial: CaseTrial
    finding: Finding
    steady: bool = True

    @property
    def wrong(self) -> bool:
        """Whether it goes wrong."""
        return self.finding.status in WRONG

    @property
    def known(self) -> bool:
        """Whether it is known to be right or wrong."""
        return self.wrong or self.finding.status is Status.PASSED


class CaseView(Run, frozen=True, dict=True, kw_only=True):
    """A run in which a check finds the answers to one case where it looks for its first."""

    run: Run
    ids: Mapping[str, str]

    def probe(self, id_: str) -> ProbeRun | None:
        return self.run.probe(self.ids.get(id_, id_))

    @property
    def stops(self) -> tuple[Stop, ...]:
        return self.run.stops


def case_trial(
    exercise: Exercise,
    check: Check,
    rows: Mapping[str, Args],
    cases: Cases,
    rename: Callable[[Probe], str],
) -> CaseTrial:
    """The trial of one case: for each generator the arguments of a call. ``rename`` gives the id
    under which a call is asked."""
    alone = {name: (args,) for name, args in rows.items()}
    beside = {name: cases.get(name, ()) for name in every_input(check)}
    plain = _plain(check)
    ids, probes = {}, []
    for probe in KINDS[check.kind].probes(plain, exercise.id, alone):
        if isinstance(probe.request, Call):  # names are read anyway
            ids[probe.id] = rename(probe)
            probes.append(msgspec.structs.replace(probe, id=ids[probe.id]))
    return CaseTrial(plain, next(iter(rows.values())), {**beside, **alone}, tuple(probes), ids)


def outcomes_of(
    exercise: str,
    trials: Iterable[CaseTrial],
    failed: Collection[str],
    run: Run,
    reference: Reference,
) -> tuple[CaseOutcome, ...]:
    """What the checks that ``failed`` find in these trials, as far as they were asked. A call that
    was stopped counts as not asked: the limit of further calls is lower than that of checks."""

    def answered(id_: str) -> bool:
        record = run.probe(id_)
        # A small call that was stopped says nothing.
        return record is not None and record.stop is None

    outcomes = []
    for trial in trials:
        # nobody has the answers of a device that the machine lacks
        asked = [probe.id for probe in trial.probes if reference.run.probe(probe.id)]
        if trial.check.id in failed and all(map(answered, asked)):
            found = trial.look(exercise, run, reference)
            ids = {given: again_id(small) for given, small in trial.ids.items()}
            again = all(answered(again_id(id_)) for id_ in asked)
            later = trial.look(exercise, run, reference, ids=ids) if again else found
            outcomes.append(CaseOutcome(trial, found, later.status is found.status))
    return tuple(outcomes)


def is_small(id_: str) -> bool:
    """Whether this is the id of a small call."""
    return _SMALL.fullmatch(id_) is not None


def again_id(small: str) -> str:
    """The id of a small call that is made a second time."""
    return f"{small}/again"


def small_id(probe: Probe) -> str:
    """The id of a small call. Equal calls have equal ids, whatever check asks them."""
    call = hashlib.sha256(msgspec.msgpack.encode(probe.request)).hexdigest()[:16]
    return f"{probe.exercise}/small/{call}"


def given_trials(exercise: Exercise, check: Check, reference: Reference) -> tuple[CaseTrial, ...]:
    """The check's own cases one by one, as far as the solution passes each of them alone."""
    key = ("given trials", exercise.id, check.id, IdentityKey(reference.run))
    return once(reference.cases, key, lambda: tuple(_given(exercise, check, reference)))


def _given(exercise: Exercise, check: Check, reference: Reference) -> Iterator[CaseTrial]:
    names = inputs_of(check, reference.cases) if isinstance(check, BY_CASES) else ()
    rows = itertools.islice(enumerate(cases_of(names, reference.cases)), MOST_CASES)
    for number, row in rows:
        parts = {f"/{name}/0": f"/{name}/{number}" for name in names}

        def numbered(probe: Probe, parts: Mapping[str, str] = parts) -> str:
            old = next((part for part in parts if part in probe.id), "")
            return probe.id.replace(old, parts[old], 1) if old else probe.id

        alone = dict(zip(names, row, strict=True))
        trial = case_trial(exercise, check, alone, reference.cases, numbered)
        if trial.look(exercise.id, reference.run, reference).status is Status.PASSED:
            yield trial


def cases_of(names: Sequence[str], cases: Cases) -> Iterator[tuple[Args, ...]]:
    """The cases of generators that belong together; none if their numbers differ."""
    several = [cases.get(name, ()) for name in names]
    if len({len(one) for one in several}) == 1:
        yield from zip(*several, strict=True)


def inputs_of(check: Check, cases: Cases) -> tuple[str, ...]:
    """The generators of a check whose cases belong together, its main one first. Those of optional
    calls, which only help to judge it, do if they have as many cases."""
    every = every_input(check)
    if not isinstance(check, RelationCheck):
        return every
    needed = {call.inputs for call in check.calls if not call.optional}
    counts = {len(cases.get(name, ())) for name in needed}
    return tuple(name for name in every if name in needed or len(cases.get(name, ())) in counts)


def every_input(check: Check) -> tuple[str, ...]:
    """All generators of a check."""
    if isinstance(check, RelationCheck):
        return tuple(dict.fromkeys(call.inputs for call in check.calls))
    main = getattr(check, "inputs", "")
    return (main, *getattr(check, "alternatives", ())) if main else ()


def _plain(check: Check) -> Check:
    """The check without all else that it tries."""
    without = {"parts": (), "again": (), "elsewhere": (), "needs": ()}
    return check.model_copy(
        update={key: value for key, value in without.items() if key in type(check).model_fields}
    )
