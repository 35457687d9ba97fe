"""A class as one HTML page for its instructor: an overview that fits on one screen, exercises,
mistakes, what to check, who has no score, times.

Covered: the page needs no script and loads nothing (its policy forbids both); text from students
(ids, messages, code) is escaped and bounded, with hidden characters written out; the same grades
give the same bytes. Not covered: the page names students and hidden checks, so do not publish it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from autograder.gradebook.grade import Grade
from autograder.gradebook.visible import one_line, visible
from autograder.reports.class_report import numbers
from autograder.reports.class_report.excerpt import bounded
from autograder.reports.class_report.mistakes import by_exercise, commonest, hardest
from autograder.reports.class_report.pictures import histogram, share_bar
from autograder.reports.class_report.results import ClassResults, shown_points
from autograder.reports.feedback.panel import TEMPLATES, templates, ticked
from autograder.reports.feedback.words import plural
from autograder.similarity.model import LOOK, CodeLines, HandInCode, Pair, Passage, ReachingLine
from autograder.similarity.reaching import reaches

PAIRS, COMPARED = 12, 5  # pairs in full; pairs below that, in a line each
NAME = 80  # characters of an id
REASON = 600
MOST = 100  # flags on a page
LONGEST = 200  # characters of a quote

# text in a message -> what it means
SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "it answered without being asked": "the code sent an answer without being asked for one",
        "it answered another question": "the code answered a different question from the one asked",
        "the process ended itself": "the code ended the process that was grading it",
        "the process was killed": "the process killed itself or ran out of memory",
        "cannot start programs or processes, or use the network": (
            "the code tried to start a program or to use the network"
        ),
    }
)


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
    results: ClassResults,
    *,
    code: Sequence[HandInCode] = (),
    pairs: Sequence[Pair] = (),
    notes: Sequence[str] = (),
) -> str:
    """The page as text, to be written as UTF-8.

    ``code`` holds the submissions from which examples and passages are taken; ``pairs`` are the
    similar ones among them. ``notes`` are sentences for the top of the page.
    """
    ordered = sorted(results.grades, key=lambda one: (one.student, one.submission.file))
    codes = {one.student: one for one in code}
    scores, max_score, which = results.scores()
    exercises = by_exercise(ordered)
    mistakes = commonest(replace(results, grades=ordered), codes)
    found = flags(ordered, [reach for one in code for reach in reaches(one)])
    memory_mb = {g.student: g.timing.peak_mb for g in ordered if g.timing.peak_mb}
    return (
        _templates()
        .get_template("class_report.html.j2")
        .render(
            title=title,
            counts=results.counts(),
            scores=numbers.spread(scores),
            which=which,
            max_score=max_score,
            bins=numbers.bins(scores, max_score),
            histogram=histogram(numbers.bins(scores, max_score), len(scores)),
            exercises=exercises,
            hardest=hardest(exercises),
            separated=any(one.item.r is not None for one in exercises),
            mistakes=mistakes,
            anchors={(one.exercise, one.name): n for n, one in enumerate(mistakes, 1)},
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
            unscored={
                word: [g for g in ordered if g.status == word] for word in ("ungraded", "rejected")
            },
            absent=results.absent(),
            full_names=lambda student: results.roster.person(student).full_name,
            notes=notes,
            style=Markup((TEMPLATES / "class_report.css").read_text(encoding="utf-8")),  # noqa: S704
        )
    )


def _templates() -> Environment:
    made = templates()
    made.filters.update(
        # Texts in the class report show what hides.
        seen=lambda text: _cut(one_line(text), REASON),
        name=lambda text: _cut(one_line(text), NAME),
        # Code in the class report shows what hides.
        lines=lambda text: bounded(visible(text)),
        ticked=lambda text: ticked(_cut(one_line(text), REASON)),
        points=shown_points,
        percent=lambda share: "–" if share is None else f"{100 * share:.0f} %",
        two=lambda value: "–" if value is None else f"{value:.2f}",
    )
    made.globals.update(plural=plural, share_bar=share_bar)
    return made


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


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} ..."


class Flag(msgspec.Struct, frozen=True):
    """Something to look at: whose it is, what and where it is, and its text."""

    student: str
    what: str
    where: str
    quote: str


def flags(grades: Sequence[Grade], reaches: Iterable[ReachingLine]) -> tuple[Flag, ...]:
    """All flags by student; a sign counts once per grade.

    Covered: what the sandbox stopped or refused, according to the messages and notes of the grade;
    lines of code that reach for the grader. Not covered: attempts that neither noticed. Nothing
    here changes a score.
    """
    found = [one for grade in grades for one in _of_grade(grade)]
    found += [
        Flag(
            reach.student,
            f"a line {reach.what}",
            f"cell {reach.place.cell}, line {reach.place.first}",
            reach.line[:LONGEST],
        )
        for reach in reaches
    ]
    return tuple(sorted(found, key=lambda one: one.student))


def _of_grade(grade: Grade) -> Iterator[Flag]:
    said = [
        (f"{exercise.id}, {check.id}", check.message)
        for exercise in grade.exercises
        for check in exercise.checks
    ]
    said += [("the notebook", repair) for repair in grade.submission.repairs]
    for sign, meaning in SIGNS.items():
        for where, text in said:
            if (at := text.find(sign)) >= 0:
                quote = text[max(at - LONGEST // 4, 0) : at + LONGEST]
                yield Flag(grade.student, meaning, where, quote)
                break
