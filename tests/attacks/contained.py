"""Judges whether an attack was contained: a pure function of what was observed outside.

Covered: the stated outcome, points, planted words in anything that a run keeps, hidden
inputs, their numbers, titles of hidden checks and the seed in what a student receives, active
parts of a page, marks, contacts, notes, time.
Not covered: what left no sign of any of these kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from autograder.evidence.records import Run
from autograder.gradebook.grade import Grade
from tests.attacks.active import active_parts
from tests.attacks.attack import Attack
from tests.attacks.hidden_texts import HiddenTexts

HIDDEN = "HIDDEN-INPUT"  # what attacks write in front of inputs that only a hidden case has
GRACE_S = 8.0  # on a busy machine a stop is slow


@dataclass(frozen=True, slots=True)
class AttackedSubmission:
    """One submission of an attack: its grade, its run, and the files that were written for it.
    ``told``: its feedback, from which every form that a student may receive is made."""

    grade: Grade
    run: Run | None
    page: str
    result: str
    told: str


@dataclass(frozen=True, slots=True)
class AttackTrace:
    """Everything that one attack caused. ``words``: the planted words, and where each is;
    ``hidden``: what of the hidden checks must not be shown."""

    handed: tuple[AttackedSubmission, ...]
    words: Mapping[str, str]
    hidden: HiddenTexts
    seed: int
    wall_s: float  # what one submission may take
    marked: bool = False
    contacts: int = 0
    left: tuple[str, ...] = ()


def not_contained(attack: Attack, seen: AttackTrace) -> tuple[str, ...]:
    """Why the attack was not contained; empty if it was."""
    return tuple(dict.fromkeys([*_who(attack, seen), *_each(attack, seen), *_reached(seen)]))


def statuses(grade: Grade) -> dict[str, str]:
    """The status of every check by ``exercise/check``."""
    return {f"{e.id}/{c.id}": c.status.value for e in grade.exercises for c in e.checks}


def is_full(grade: Grade) -> bool:
    """Whether every check passed, or waits for a grader or for what is not offered here."""
    fine = {"passed", "manual", "skipped"}
    return grade.status == "graded" and set(statuses(grade).values()) <= fine


def words_in(run: Run | None, *texts: str) -> bytes:
    """Everything in which a planted word must not be found."""
    claims = msgspec.msgpack.encode(run) if run is not None else b""
    return claims + "\n".join(texts).encode("utf-8", "replace")


def _who(attack: Attack, seen: AttackTrace) -> Iterator[str]:
    """Whether the submissions are the stated ones."""
    if attack.onto != "file":
        if len(seen.handed) != 1 + attack.twice:
            yield f"{len(seen.handed)} submissions have a grade, not {1 + attack.twice}"
        return
    found = {one.grade.student for one in seen.handed}
    stated = {*attack.rejected, *attack.read}
    if found != stated:
        yield f"the students are {sorted(found)}, not {sorted(stated)}"


def _each(attack: Attack, seen: AttackTrace) -> Iterator[str]:
    for one in seen.handed:
        if one.grade.student in attack.rejected:
            yield from _rejected(one.grade, attack.rejected[one.grade.student])
        else:
            yield from _points(attack, one.grade)
            yield from _course(attack, one)
        yield from _kept(one, seen)
        ran_s = one.grade.timing.run - waited_s(one.run)
        if ran_s > seen.wall_s + GRACE_S:
            yield f"it ran for {ran_s:.1f} seconds"


def waited_s(run: Run | None) -> float:
    """Seconds that the machine itself took: until its processes had started, and while no
    processor was free."""
    return run.measured.waited_s + run.measured.fork_s if run is not None else 0.0


def _rejected(grade: Grade, words: str) -> Iterator[str]:
    if grade.status != "rejected":
        yield f"{grade.student!r} is {grade.status}, not rejected"
    elif words not in grade.reason:
        yield f"{grade.student!r} is rejected for another reason: {grade.reason[:200]}"


def _points(attack: Attack, grade: Grade) -> Iterator[str]:
    if grade.status != "graded" or grade.score is None:
        yield f"{grade.student!r} is {grade.status}: {grade.reason[:200]}"
        return
    found = statuses(grade)
    missing = [name for name in attack.must_pass if found.get(name) != "passed"]
    if missing:
        yield f"not passed, though it must be: {', '.join(missing)}"
    passed = sorted(name for name in attack.must_fail if found.get(name) == "passed")
    if passed:
        yield f"passed, though it must not: {', '.join(passed)}"
    if attack.expect.points == "full points" and not is_full(grade):
        lost = [k for k, s in found.items() if s not in ("passed", "manual", "skipped")]
        yield f"an honest answer lost points: {', '.join(lost)}"
    if attack.expect.points == "no points":
        gained = [k for k, s in found.items() if s in ("passed", "ungraded")]
        undeserved = [k for k in gained if k not in attack.may_pass | attack.must_pass]
        if undeserved:
            yield f"undeserved: {', '.join(undeserved)}"
        allowed = sum(
            c.score or 0
            for e in grade.exercises
            for c in e.checks
            if f"{e.id}/{c.id}" in attack.may_pass | attack.must_pass
        )
        if grade.score > allowed:
            yield f"{grade.score / 1000:g} points, where at most {allowed / 1000:g} are possible"
    if grade.score - (grade.bonus or 0) > grade.max_score:
        yield "more points than there are"


def _course(attack: Attack, one: AttackedSubmission) -> Iterator[str]:
    """Whether the run went as stated: stops, fresh starts, words that were shown."""
    expect, run = attack.expect, one.run
    said = _outputs(run)
    for text in attack.shows:
        if text.encode() not in said:
            yield f"it never showed {text!r}"
    if expect.met_hidden and HIDDEN not in one.result:
        yield "it met no hidden input, so it proves nothing"
    if run is None:
        return
    for cause, text in expect.stops:
        if not any(s.cause in cause.split(" or ") and text in ("", s.text) for s in run.stops):
            met = {f"{s.cause} ({s.text})" for s in run.stops}
            yield f"no stop {cause!r} {text}".rstrip() + f"; there were: {sorted(met) or 'none'}"
    if expect.restarted and run.measured.children < 2:
        yield "no fresh process was started"


def _outputs(run: Run | None) -> bytes:
    """What the cells printed and displayed; the page would show their source as well."""
    cells = run.cells if run is not None else ()
    claims = [cell.claim for cell in cells if cell.claim is not None]
    return b"\n".join(output.content for claim in claims for output in claim.outputs)


def _kept(one: AttackedSubmission, seen: AttackTrace) -> Iterator[str]:
    """Whether anything that is kept reveals what it must not."""
    everything = words_in(one.run, one.page, one.result)
    for word, place in seen.words.items():
        if word.encode() in everything:
            yield f"it got hold of the word planted as: {place}"
    for received, place in ((one.page, "on the page"), (one.told, "in the feedback")):
        if HIDDEN in received:
            yield f"a hidden input appears {place}"
        if str(seen.seed) in received or str(seen.seed % 2**32) in received:
            yield f"the seed of the hidden inputs appears {place}"
        if seen.hidden.has_numbers(received):
            yield f"numbers of a hidden input appear {place}"
    for title in seen.hidden.titles_in(one.told):  # a notebook may have the words of one
        yield f"the title of a hidden check appears in the feedback: {title}"
    active = active_parts(one.page)
    if active:
        yield f"active on the page: {', '.join(active[:5])}"


def _reached(seen: AttackTrace) -> Iterator[str]:
    if seen.marked:
        yield "it left a mark outside the box"
    if seen.contacts:
        yield f"it reached a listener {seen.contacts} times"
    if seen.left:
        yield f"it left notes on the machine: {', '.join(sorted({_folder(p) for p in seen.left}))}"


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
