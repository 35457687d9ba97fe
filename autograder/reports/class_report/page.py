"""A class as one HTML page for its instructor: scores, exercises, mistakes, times, what to check.

Covered: the page needs no script and loads nothing (its policy forbids both); text from students
(ids, messages, code) is escaped and bounded, with hidden characters written out; the same grades
give the same bytes. Not covered: the page names students and hidden checks, so do not publish it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from autograder.gradebook.grade import Grade, as_points
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line, visible
from autograder.reports.class_report import numbers
from autograder.reports.class_report.excerpt import bounded
from autograder.reports.class_report.flags import MOST, flags
from autograder.reports.class_report.mistakes import commonest, unexplained
from autograder.reports.class_report.pictures import histogram, scatter, share_bar
from autograder.reports.feedback.panel import TEMPLATES, templates, ticked
from autograder.reports.feedback.words import plural
from autograder.similarity.model import LOOK, CodeLines, HandInCode, Pair, Passage, ReachingLine

PAIRS, COMPARED = 12, 5  # pairs in full; pairs below that, in a line each
NAME = 80  # characters of an id
REASON = 600
NOTHING: Mapping[str, float] = MappingProxyType({})


class PassageSide(msgspec.Struct, frozen=True):
    """One side of a passage: where it is, and its lines."""

    student: str
    place: str
    text: str


class ShownPassage(msgspec.Struct, frozen=True):
    """A passage of a pair, side by side."""

    passage: Passage
    left: PassageSide
    right: PassageSide


def class_report(
    title: str,
    grades: Iterable[Grade],
    *,
    standings: Sequence[Standing] = (),
    code: Sequence[HandInCode] = (),
    pairs: Sequence[Pair] = (),
    reaches: Sequence[ReachingLine] = (),
    memory_mb: Mapping[str, float] = NOTHING,
    notes: Sequence[str] = (),
    roster: Roster = NO_ROSTER,
) -> str:
    """The page as text, to be written as UTF-8.

    Without ``standings`` the scores are the automatic ones. ``code`` holds the submissions from
    which examples and passages are taken; ``pairs`` and ``reaches`` are what
    ``autograder.similarity`` found in them. ``memory_mb`` is each student's peak, where known.
    """
    ordered = sorted(grades, key=lambda one: (one.student, one.submission.file))
    codes = {one.student: one for one in code}
    scores, max_score, counted, which = _scores(ordered, standings)
    every = numbers.items(ordered)
    found = flags(ordered, reaches)
    return (
        _templates()
        .get_template("class_report.html.j2")
        .render(
            title=title,
            counts=_counts(ordered, standings),
            scores=numbers.spread(scores),
            counted=counted,
            which=which,
            max_score=max_score,
            bins=numbers.bins(scores, max_score),
            histogram=histogram(numbers.bins(scores, max_score), len(scores)),
            exercises=every,
            scatter=scatter([(at, own) for at, (own, _) in enumerate(every, start=1)]),
            fewest=numbers.FEWEST,
            mistakes=commonest(ordered, codes, _names(ordered, roster)),
            unexplained=unexplained(ordered),
            times=numbers.times(ordered, memory_mb.values()),
            slowest=numbers.slowest(ordered),
            memory=memory_mb,
            flags=found[:MOST],
            more_flags=max(len(found) - MOST, 0),
            pairs=[(pair, _shown(pair, codes)) for pair in pairs if pair.score >= LOOK][:PAIRS],
            more_pairs=max(sum(pair.score >= LOOK for pair in pairs) - PAIRS, 0),
            below=[pair for pair in pairs if pair.score < LOOK][:COMPARED],
            compared=len(codes),
            look=LOOK,
            unscored=[
                (word, [g for g in ordered if g.status == word])
                for word in ("ungraded", "rejected")
            ],
            absent=_absent(ordered, standings, roster),
            notes=notes,
            style=Markup((TEMPLATES / "class_report.css").read_text(encoding="utf-8")),  # noqa: S704
        )
    )


def _templates() -> Environment:
    made = templates()
    made.filters.update(
        # guard: texts in the class report show what hides
        seen=lambda text: _cut(one_line(text), REASON),
        name=lambda text: _cut(one_line(text), NAME),
        # guard: code in the class report shows what hides
        lines=lambda text: bounded(visible(text)),
        ticked=lambda text: ticked(_cut(one_line(text), REASON)),
        points=_points,
        percent=lambda share: "–" if share is None else f"{100 * share:.0f} %",
        two=lambda value: "–" if value is None else f"{value:.2f}",
    )
    made.globals.update(plural=plural, share_bar=share_bar)
    return made


def _scores(
    grades: Sequence[Grade], standings: Sequence[Standing]
) -> tuple[list[int], int, str, str]:
    """The scores, their maximum, what kind of scores they are, and a sentence for the headline:
    final scores once no manual grading is pending, automatic points until then."""
    if not standings:
        most = max((grade.max_score for grade in grades), default=0)
        return (
            [grade.score for grade in grades if grade.score is not None],
            most,
            "automatic points",
            "",
        )
    most = max(standing.max_score for standing in standings)
    waiting = [standing for standing in standings if standing.state == "open"]
    if not waiting:  # guard: the class report shows automatic points until nobody waits
        final = [standing.score for standing in standings if standing.state == "final"]
        said = "Final scores: no manual grading is pending."
        return [score for score in final if score is not None], most, "final scores", said
    automatic = [
        standing.automatic for standing in standings if standing.state in ("open", "final")
    ]
    by_hand = most - max(grade.max_score for grade in grades)
    worth = f", excluding {_points(by_hand)} for manual grading" if by_hand else ""
    said = (
        f"Automatic points, out of {_points(most)} in total{worth}. Manual grading is pending for "
        f"{len(waiting)} of {plural(len(automatic), 'student')}; final scores appear here once it "
        "is finished."
    )
    return [score for score in automatic if score is not None], most, "automatic points", said


def _counts(grades: Sequence[Grade], standings: Sequence[Standing]) -> dict[str, int]:
    status = Counter(grade.status for grade in grades)
    states = Counter(standing.state for standing in standings)
    found = {"submitted": len(grades), **{w: status[w] for w in ("graded", "ungraded", "rejected")}}
    if standings:
        found |= {"absent": states["absent"], "excused": states["excused"]}
        found |= {"waiting for manual grading": states["open"]}
    return found


def _absent(
    grades: Sequence[Grade], standings: Sequence[Standing], roster: Roster
) -> list[tuple[str, str]]:
    """Ids of those who submitted nothing, each with a note; from the roster without standings."""
    if standings:
        return sorted(
            (standing.student, standing.note)
            for standing in standings
            if standing.state == "absent"
        )
    there = {grade.student for grade in grades}
    return sorted((person.id, "") for person in roster if person.id not in there)


def _names(grades: Sequence[Grade], roster: Roster) -> frozenset[str]:
    """Everything that identifies a student, to be kept out of examples."""
    known = {grade.student for grade in grades} | {grade.submission.file for grade in grades}
    for one in roster:
        known |= {one.id, one.full_name, one.first_name, one.last_name, one.email.split("@")[0]}
        known |= set(one.keys.values())
    return frozenset(known)


def _shown(pair: Pair, codes: Mapping[str, HandInCode]) -> list[ShownPassage]:
    return [
        ShownPassage(
            one,
            _side(codes.get(pair.left), pair.left, one.left),
            _side(codes.get(pair.right), pair.right, one.right),
        )
        for one in pair.passages
    ]


def _side(code: HandInCode | None, student: str, place: CodeLines) -> PassageSide:
    source = code.cell(place.cell) if code is not None else ""
    text = "\n".join(source.split("\n")[place.first - 1 : place.last])
    lines = f"line {place.first}"
    if place.last > place.first:
        lines = f"lines {place.first} to {place.last}"
    return PassageSide(student, f"cell {place.cell}, {lines}", text)


def _points(amount: float | None) -> str:
    return "–" if amount is None else f"{round(as_points(round(amount)), 2):g}"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} ..."
