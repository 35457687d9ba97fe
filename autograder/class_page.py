"""The class report of a results folder: grades, standings, and hand-ins that are much alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autograder.book import Book
from autograder.notebook.outline import Outline
from autograder.report.class_report import class_report
from autograder.similar.code import hand_in_code, template_code
from autograder.similar.model import HandInCode
from autograder.similar.pairs import ranked_pairs
from autograder.similar.reaching import reaches
from autograder.spec.model import Assignment
from autograder.workspace import Kept


def class_page(book: Book, outline: Outline, solution: HandInCode, notes: Sequence[str]) -> str:
    """The page as text, to be written as UTF-8. ``notes`` are sentences for its top."""
    spec, grades = book.assignment, book.grades()
    codes = tuple(kept_codes(book.workspace.kept(), spec, outline))
    return class_report(
        spec.title,
        grades,
        standings=book.standings(),
        code=codes,
        pairs=ranked_pairs(
            codes, template_code(spec, outline), asked_names(spec), common=(solution,),
            grades=grades,
        ),
        reaches=[one for code in codes for one in reaches(code)],
        memory_mb={g.student: g.timing.peak_mb for g in grades if g.timing.peak_mb},
        notes=notes,
        roster=book.roster(),
    )  # fmt: skip


def kept_codes(
    kept: Iterable[Kept], assignment: Assignment, outline: Outline
) -> Iterable[HandInCode]:
    """The code of every hand-in that could be read; of several attempts that of the one that
    counts."""
    for one in kept:
        if one.submission is not None:
            yield hand_in_code(one.student, one.submission, assignment, outline)


def asked_names(assignment: Assignment) -> tuple[str, ...]:
    """The names that the assignment asks for."""
    return tuple(name for exercise in assignment.exercise for name in exercise.defines)
