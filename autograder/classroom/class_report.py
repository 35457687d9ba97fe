"""The class report of a results folder: grades, standings, and similar submissions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.classroom.gradebook_of_class import ClassGradebook
from autograder.classroom.known_mistakes import read_solution
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.errors import SubmissionError
from autograder.gradebook.grade import Grade
from autograder.grading.context import Arrange
from autograder.notebook.formats.read import read
from autograder.notebook.structure.outline import Outline, outline_of
from autograder.notebook.submission import Submission
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
from autograder.similarity.code import hand_in_code, template_code
from autograder.similarity.fingerprint import given_by
from autograder.similarity.model import HandInCode
from autograder.similarity.pairs import ranked_pairs


def class_page(book: ClassGradebook, loaded: Loaded, arrange: Arrange, notes: Sequence[str]) -> str:
    """The page as text, to be written as UTF-8. ``notes`` are sentences for its top; ``arrange`` is
    for notebooks of another tool."""
    spec, grades = book.assignment, book.grades()
    outline = Outline(outline_of(read_solution(loaded), loaded.spec))
    codes = tuple(kept_codes(book.workspace.kept(), loaded, outline, arrange))
    return class_report(
        spec.title,
        ClassResults(grades, book.standings(), book.roster(), _pages(book.workspace, grades)),
        code=codes,
        pairs=ranked_pairs(
            codes,
            given_by(template_code(spec, outline), asked_names(spec)),
            common=(_common(loaded, outline, arrange),),
            grades=grades,
        ),
        notes=notes,
    )


def _pages(workspace: ResultsFolder, grades: Iterable[Grade]) -> dict[str, str]:
    """The addresses of the feedback pages, from the results folder."""
    found = {grade.student: workspace.feedback(grade.student) for grade in grades}
    return {
        student: quote(path.relative_to(workspace.folder).as_posix())
        for student, path in found.items()
    }


def kept_codes(
    kept: Iterable[KeptSubmission], loaded: Loaded, outline: Outline, arrange: Arrange
) -> Iterable[HandInCode]:
    """The code of every submission that could be read; of several attempts, of the one that
    counts."""
    for entry in kept:
        if entry.submission is not None:
            yield _code(entry.student, entry.submission, loaded, outline, arrange)


def _code(
    student: str, submission: Submission, loaded: Loaded, outline: Outline, arrange: Arrange
) -> HandInCode:
    spec = loaded.spec
    located = arrange(spec, submission, loaded.folder).located if spec.brought else None
    return hand_in_code(student, submission, spec, outline, located)


def _common(loaded: Loaded, outline: Outline, arrange: Arrange) -> HandInCode:
    """Code that everybody may have: the solution's, or for another tool's assignment the
    template's."""
    if loaded.spec.brought is None:
        return _code("", read_solution(loaded), loaded, outline, arrange)
    try:
        return _code("", read(loaded.template), loaded, outline, arrange)
    except SubmissionError:
        return HandInCode("", ())


def asked_names(assignment: Assignment) -> tuple[str, ...]:
    """The names that the assignment asks for."""
    return tuple(name for exercise in assignment.exercise for name in exercise.defines)
