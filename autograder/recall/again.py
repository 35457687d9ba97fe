"""Judges a hand-in again from what is remembered of it; only what a change can touch is looked at.

Covered: whatever could give another verdict than judging it anew: then, and when in doubt,
nothing is recalled (``NotRecalled``), and the hand-in is judged from its whole evidence.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from autograder.checks.finding import Finding
from autograder.checks.registry import examine, further
from autograder.devices import device_job, on_cpu
from autograder.diagnosis.diagnose import diagnose
from autograder.diagnosis.known import Known
from autograder.evidence import key_of
from autograder.jobs import further_job
from autograder.judge import judge
from autograder.notebook.restored import put_back, put_before
from autograder.notebook.submission import Submission
from autograder.orders import Tried, failed_cells
from autograder.pipeline import graded_by
from autograder.recall.basis import Basis, as_stored, digest
from autograder.recall.memory import FORMAT, Found, Memory, Part, Told, Try
from autograder.sandbox.run import Run
from autograder.setting import Graded, Setting, best_of
from autograder.shelf import Damaged, shelve, shelved_run
from autograder.spec.kinds import Check
from autograder.took import Took
from autograder.verdict import Status, Verdict
from autograder.workspace import Kept

_WRONG = (Status.FAILED, Status.RAISED)


class NotRecalled(Exception):
    """What is remembered does not do; the hand-in is to be judged anew."""


@dataclass(frozen=True, slots=True)
class Class:
    """What judging a class again starts from. ``bank``: the known mistakes of the exercises for
    which something may have to be told anew."""

    setting: Setting
    basis: Basis
    expected: Run
    bank: Mapping[str, Sequence[Known]]


def recalled(
    one: Class, kept: Kept, hand_in: bytes, memory: Memory | None, started: float
) -> tuple[Graded, Memory | None]:
    """The grade that judging anew would give, and what is to be remembered now; ``hand_in`` is
    the digest of what is kept. Raises ``NotRecalled``."""
    attempts = kept.attempts or (kept,)
    readable = [attempt.submission is not None for attempt in attempts]
    if memory is None or not _fits(one.basis, hand_in, memory):
        if any(readable):
            raise NotRecalled
        memory = None
    parts = memory.parts if memory is not None else (None,) * len(attempts)
    if [part is not None for part in parts] != readable:
        raise NotRecalled
    try:
        found = [_part(one, *pair, started) for pair in zip(attempts, parts, strict=True)]
    except Damaged:
        raise NotRecalled from None
    graded = best_of(tuple(g for g, _ in found)) if kept.attempts else found[0][0]
    now = tuple(part for _, part in found)
    same = all(new is old for new, old in zip(now, parts, strict=True))
    return graded, memory if memory is None or same else replace(memory, parts=now)


def remembered(setting: Setting, basis: Basis, kept: Kept, graded: Graded) -> Memory | None:
    """What to remember of a student who was judged just now from the whole evidence; None where
    there is nothing, or it would not do."""
    attempts = kept.attempts or (kept,)
    outcomes = graded.attempts if kept.attempts else (graded,)
    parts = [_kept(setting, basis, *pair) for pair in zip(attempts, outcomes, strict=True)]
    readable = [attempt.submission is not None for attempt in attempts]
    if [part is not None for part in parts] != readable or not any(readable):
        return None
    located = [one.located for part in parts if part for one in part.tries]
    titles = basis.titles if any(one.notes or one.order for one in located) else b""
    hand_in = digest(msgspec.msgpack.encode(kept))
    return Memory(FORMAT, kept.student, hand_in, basis.asked, titles, tuple(parts))


def _kept(setting: Setting, basis: Basis, kept: Kept, graded: Graded) -> Part | None:
    """None where given cells would be put in once more, nothing was run, a device failed, or the
    evidence is only understood as a whole."""
    submission, outline = kept.submission, setting.outline
    if submission is None or not graded.tries or put_back(submission, outline) != submission:
        return None
    failed = failed_cells(graded.tries[0])
    if put_before(submission, outline, failed) is not None:
        return None
    tries = [_try(setting, basis, tried) for tried in graded.tries]
    whole = tuple(one for one in tries if one is not None)
    return Part(failed, whole) if len(whole) == len(tries) else None


def _try(setting: Setting, basis: Basis, tried: Tried) -> Try | None:
    if tried.job is None or tried.run.lost:
        return None
    jobs = (
        on_cpu(tried.job), further_job(setting, tried.job, tried.run),
        *(device_job(tried.job, device) for device in setting.devices),
    )  # fmt: skip
    shelves = tuple(shelve(setting.store, key_of(job)) for job in jobs if job is not None)
    whole = tuple(shelf for shelf in shelves if shelf is not None)
    if len(whole) < len(shelves):
        return None
    found = {name: Found(basis.checks[name], one) for name, one in tried.found.items()}
    judged = tuple(map(as_stored, tried.judged))
    told = {
        exercise: Told(digest(basis.exercises[exercise], own), _of(exercise, tried.verdicts))
        for exercise, own in _wrong(judged)
    }
    return Try(tried.located, whole, found, told)


def _fits(basis: Basis, hand_in: bytes, memory: Memory) -> bool:
    return (
        memory.hand_in == hand_in
        and memory.asked == basis.asked
        and memory.titles in (b"", basis.titles)
    )


def _part(
    one: Class, kept: Kept, part: Part | None, started: float
) -> tuple[Graded, Part | None]:  # fmt: skip
    """One attempt graded again. Its first run is that of what is kept, the second one that of the
    same cells in another order."""
    left = list(part.tries) if part is not None else []
    now: list[Try] = []

    def attempt(submission: Submission) -> Tried:
        if not left or (now and not _same_cells(submission, left[0])):
            raise NotRecalled
        tried, remembered = _again(one, left.pop(0))
        now.append(remembered)
        return tried

    failed = part.failed if part is not None else frozenset[int]()
    graded = graded_by(attempt, one.setting, kept, started, mended=failed)
    if part is None:
        return graded, None
    if left:
        raise NotRecalled
    same = all(new is old for new, old in zip(now, part.tries, strict=True))
    return graded, part if same else replace(part, tries=tuple(now))


def _same_cells(submission: Submission, remembered: Try) -> bool:
    """Whether these cells are the ones of that run, whatever its order."""
    code = {cell.number for cell in submission.cells if cell.kind == "code"}
    ran = {cell.number for cell in remembered.shelves[0].silent}
    return code - remembered.located.blank == ran


def _again(one: Class, old: Try) -> tuple[Tried, Try]:
    """One run judged again: each check, and what is told of each exercise, only where that may
    have changed."""
    begun = time.monotonic()
    spec, basis = one.setting.loaded.spec, one.basis
    run = shelved_run(one.setting.store, old.shelves)
    if run is None:
        raise NotRecalled
    found: dict[str, Found] = {}

    def look(check: Check, exercise: str, *compared: Any) -> Finding:
        name = f"{exercise}/{check.id}"
        known = old.found.get(name)
        if known is None or known.basis != basis.checks[name]:
            more = further(check, exercise, run, one.setting.cases, one.setting.loaded.relations)
            if any(run.probe(probe.id) is None for probe in more):
                raise NotRecalled  # what was settled once is open now
            known = Found(basis.checks[name], examine(check, exercise, *compared))
        found[name] = known
        return known.finding

    judged = judge(
        spec, run, one.expected, one.setting.cases, one.setting.loaded.relations, look=look,
        unavailable=one.setting.unavailable, owners=old.located.owners,
        builds_on=old.located.builds_on, unanswered=old.located.unanswered,
    )  # fmt: skip
    told = {e: _told(one, run, own, old.told.get(e)) for e, own in _wrong(judged)}
    verdicts = _diagnosed(judged, told)
    took = Took(stored=(run.measured,), judge_s=time.monotonic() - begun)
    tried = Tried(verdicts, run, old.located, False, took)
    news = [new for name, new in found.items() if new is not old.found.get(name)]
    if not news and told == old.told:
        return tried, old
    return tried, replace(old, found={**old.found, **found}, told=told)


def _told(one: Class, run: Run, judged: Sequence[Verdict], old: Told | None) -> Told:
    """One exercise's verdicts with what is told of them."""
    exercise = judged[0].exercise
    basis = digest(one.basis.exercises[exercise], judged)
    if old is not None and old.basis == basis:
        return old
    if exercise not in one.bank:
        raise NotRecalled
    spec, cases = one.setting.loaded.spec, one.setting.cases
    return Told(basis, diagnose(spec, judged, run, one.expected, one.bank[exercise], cases))


def _wrong(judged: Sequence[Verdict]) -> Iterator[tuple[str, tuple[Verdict, ...]]]:
    """The exercises in which something is wrong, each with all its verdicts."""
    for exercise in dict.fromkeys(v.exercise for v in judged if v.status in _WRONG):
        yield exercise, _of(exercise, judged)


def _of(exercise: str, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    return tuple(verdict for verdict in verdicts if verdict.exercise == exercise)


def _diagnosed(judged: Sequence[Verdict], told: Mapping[str, Told]) -> tuple[Verdict, ...]:
    by_check = {(v.exercise, v.check): v for one in told.values() for v in one.verdicts}
    return tuple(by_check.get((v.exercise, v.check), v) for v in judged)
