"""One of our own assignments as nbgrader's source and release notebooks.

Each exercise has a solution cell; a test cell that runs its public checks and shows what they earn;
and a manually graded task with the points that nbgrader cannot check. An exercise with only written
answers is one manually graded cell, and so is the Markdown answer of any other.

Covered: no line of an answer, no rubric and no hidden check is in the release notebook.
Not covered: hidden checks in nbgrader; grade the submissions here and export the scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.assignment.kinds import BY_HAND, Check, WrittenCheck, rubric_text
from autograder.assignment.model import POINT, Assignment, Exercise, thousandths
from autograder.errors import SpecError
from autograder.interop.nbgrader.marks import UNMARKED, Mark
from autograder.interop.nbgrader.released import release_notebook, source_notebook_file
from autograder.interop.nbgrader.source import SourceCell, SourceNotebook
from autograder.notebook.structure.check_cells import SET_UP_ID, set_up
from autograder.notebook.structure.regions import MarkError, find_regions, without_marks
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.release import KERNEL, LANGUAGE, leaks, notebook_bytes

PUBLIC = ".agw"
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"
_PROMPT = "# PROMPT:"
_TESTS = """# The public checks of "{exercise}". This cell shows how many of {points} they earn.
from autograder.student import Grader

Grader("{assignment}").earned("{exercise}")"""
_TESTS_WORTH_NOTHING = """# The public checks of "{exercise}", which has no points in nbgrader.
from autograder.student import Grader

Grader("{assignment}").check("{exercise}")"""
_REST = """**{title}**: {points} more, given by your course after you submit.
### BEGIN MARK SCHEME
{scheme}
### END MARK SCHEME"""


@dataclass(frozen=True, slots=True)
class CellPart:
    """One graded nbgrader cell: its ``points`` in thousandths and the checks that it represents.
    ``by_hand``: nbgrader leaves it to manual grading."""

    grade_id: str
    exercise: str
    checks: tuple[str, ...]
    points: int
    by_hand: bool


@dataclass(frozen=True, slots=True)
class Export:
    """Files by path, relative to a course's folder; ``notes`` are sentences for the instructor."""

    files: Mapping[Path, bytes]
    notes: tuple[str, ...]


def parts(assignment: Assignment) -> tuple[CellPart, ...]:
    """The graded cells of an assignment, ours or imported from nbgrader."""
    if assignment.brought is not None:
        return tuple(
            CellPart(
                e.name or e.id, e.id, tuple(c.id for c in e.check), e.max_score, _by_hand(e.check)
            )
            for e in assignment.exercise
        )
    taken = {exercise.id for exercise in assignment.exercise}
    return tuple(part for exercise in assignment.exercise for part in _parts(exercise, taken))


def exported(
    assignment: Assignment, solution: Submission, *, public: bytes, version: str
) -> Export:
    """The files of a course: ``source/ID/ID.ipynb``, ``release/ID/ID.ipynb`` and, beside each, the
    public evidence. ``version`` is the template's.

    Raises ``SpecError`` for wrong marks, or if the release notebook would reveal an answer.
    """
    source = source_notebook(assignment, solution)
    release = release_notebook(source, assignment=assignment.id, version=version)
    if leaked := leaks(release, solution):
        raise SpecError(
            [
                f"{solution.file}: a line of the solution would be in the release: {line!r}"
                for line in leaked
            ]
        )
    files: dict[Path, bytes] = {}
    for folder, notebook in (("source", source_notebook_file(source)), ("release", release)):
        files[Path(folder, assignment.id, f"{assignment.id}.ipynb")] = notebook_bytes(notebook)
        files[Path(folder, assignment.id, f"{assignment.id}{PUBLIC}")] = public
    return Export(files, tuple(_notes(assignment)))


def source_notebook(assignment: Assignment, solution: Submission) -> SourceNotebook:
    """The source notebook of an assignment of ours. Raises ``SpecError`` for wrong marks."""
    own: dict[str, list[CellPart]] = {}
    for part in parts(assignment):
        own.setdefault(part.exercise, []).append(part)
    exercises = {exercise.id: exercise for exercise in assignment.exercise}
    problems: list[str] = []
    cells: list[SourceCell] = []
    first = next((cell.number for cell in solution.cells if cell.kind == "code"), 0)
    for cell in solution.cells:
        if cell.number == first:
            cells.append(_given(set_up(assignment.id), SET_UP_ID))
        exercise = exercises.get(cell.exercise)
        if exercise is None or (cell.kind != "code" and not exercise.in_markdown):
            cells.append(_plain(cell))
            continue
        try:
            made = _of if cell.kind == "code" else _text
            cells += made(assignment, exercise, cell, own.get(exercise.id, ()))
        except MarkError as bad:
            problems.append(f"{solution.file}, cell {cell.number}, line {bad.line}: {bad.what}")
    if problems:
        raise SpecError(problems)
    numbered = tuple(replace(cell, number=n) for n, cell in enumerate(cells, start=1))
    metadata = {"kernelspec": dict(KERNEL), "language_info": dict(LANGUAGE)}
    return SourceNotebook(assignment.id, numbered, metadata, b"")


def _parts(exercise: Exercise, taken: set[str]) -> Iterator[CellPart]:
    whole = 0 if exercise.stretch else 1
    text = [check for check in exercise.check if check.id in exercise.in_markdown]
    code = [check for check in exercise.check if check not in text]
    public = [check for check in code if check.public and check.kind not in BY_HAND]
    rest = [check for check in code if check not in public]
    groups = [("tests", public, False), ("rest", rest, True)]
    if _by_hand(code):
        groups = [("", code, True)]
    for name, checks, by_hand in (*groups, ("text" if code else "", text, True)):
        worth = sum(thousandths(check.points) for check in checks)
        if checks and (worth or name in ("", "text")):
            own = _free(f"{exercise.id}-{name}", taken) if name else exercise.id
            ids = tuple(check.id for check in checks)
            yield CellPart(own, exercise.id, ids, worth * whole, by_hand)


def _of(
    assignment: Assignment, exercise: Exercise, cell: NotebookCell, own: Sequence[CellPart]
) -> Iterator[SourceCell]:
    """The cells of one exercise that is answered in code; raises MarkError."""
    text, tag = _with_regions(cell.source), {"exercise": exercise.id}
    own = [part for part in own if part.checks != exercise.in_markdown]
    if len(own) == 1 and own[0].grade_id == exercise.id:
        (part,) = own
        mark = Mark(grade=True, solution=True, grade_id=part.grade_id, points=part.points / POINT)
        noted = _in_region(text, _rubrics(exercise))
        yield SourceCell(0, "code", noted, mark, tag)
        return
    yield SourceCell(0, "code", text, Mark(solution=True, grade_id=exercise.id), tag)
    for part in own:
        told = f"{part.points / POINT:g} points"
        if part.by_hand:
            scheme = _scheme(exercise, part)
            source = _REST.format(title=exercise.title, points=told, scheme=scheme)
            mark = Mark(locked=True, task=True, grade_id=part.grade_id, points=part.points / POINT)
            yield SourceCell(0, "markdown", source, mark, {"locked": True})
        else:
            # nbgrader refuses the whole notebook if a cell shows more than its points
            tests = _TESTS if part.points else _TESTS_WORTH_NOTHING
            source = tests.format(assignment=assignment.id, exercise=exercise.id, points=told)
            mark = Mark(grade=True, locked=True, grade_id=part.grade_id, points=part.points / POINT)
            yield SourceCell(0, "code", source, mark, {"locked": True})


def _text(
    assignment: Assignment, exercise: Exercise, cell: NotebookCell, own: Sequence[CellPart]
) -> Iterator[SourceCell]:
    """The cell of a Markdown answer, of which nbgrader leaves nothing; raises MarkError."""
    text = "\n\n".join([without_marks(cell.source), *_rubrics(exercise)])
    for part in own:
        if part.checks == exercise.in_markdown:
            points = part.points / POINT
            mark = Mark(grade=True, solution=True, grade_id=part.grade_id, points=points)
            yield SourceCell(0, "markdown", text, mark, {"exercise": exercise.id})


def _with_regions(source: str) -> str:
    """The author's marks as nbgrader's; prompts come before their region.

    Raises MarkError.
    """
    lines = source.split("\n")
    result: list[str] = []
    done = 0
    for region in find_regions(source):
        result += lines[done : region.begin - 1]
        line = lines[region.begin - 1]
        indent = line[: len(line) - len(line.lstrip())]
        body = lines[region.begin : region.end - 1] if region.end > region.begin else [line]
        prompts = [part for part in body if part.strip().startswith(_PROMPT)]
        result += [f"{indent}# {part.strip()[len(_PROMPT) :].strip()}" for part in prompts]
        inside = without_marks("\n".join(part for part in body if part not in prompts))
        result += [f"{indent}{_BEGIN}", inside, f"{indent}{_END}"]
        done = region.end
    return "\n".join([*result, *lines[done:]])


def _in_region(text: str, noted: Sequence[str]) -> str:
    """The text with comments at the start of its first region."""
    before, begin, after = text.partition(_BEGIN)
    indent = before.rpartition("\n")[2]
    lines = (f"{indent}# {line}".rstrip() for part in noted for line in part.split("\n"))
    return "\n".join([before + begin, *lines]) + after


def _rubrics(exercise: Exercise) -> list[str]:
    written = [check for check in exercise.check if isinstance(check, WrittenCheck)]
    return [f"Rubric of `{check.name or check.id}`: {rubric_text(check)}" for check in written]


def _scheme(exercise: Exercise, part: CellPart) -> str:
    """The mark scheme for manual grading in nbgrader."""
    own = {check.id: check for check in exercise.check}
    lines = [f"- {_amount(own[id_])}: {own[id_].title}" for id_ in part.checks]
    return "\n".join([*lines, *_rubrics(exercise)])


def _amount(check: Check) -> str:
    return f"{thousandths(check.points) / POINT:g}"


def _plain(cell: NotebookCell) -> SourceCell:
    """A cell that is not an answer: code is locked for nbgrader, text is not."""
    if cell.kind == "code":
        return _given(cell.source, f"given-{cell.number}")
    return SourceCell(0, cell.kind, cell.source, UNMARKED, {"locked": True})


def _given(source: str, name: str) -> SourceCell:
    mark = Mark(locked=True, grade_id=name)
    return SourceCell(0, "code", source, mark, {"locked": True}, id=name)


def _notes(assignment: Assignment) -> Iterator[str]:
    own = parts(assignment)
    tests = sum(part.points for part in own if not part.by_hand)
    rest = sum(part.points for part in own if part.by_hand)
    if tests:
        yield (
            f"nbgrader's autograder gives {tests / POINT:g} points, for the public checks; "
            "the package autograder_student must be installed where it runs."
        )
    if rest:
        yield (
            f"{rest / POINT:g} points are for hidden checks and written answers, which nbgrader "
            "leaves to manual grading. Grade submitted/ with `autograder grade` to fill them in."
        )
    if stretch := [e.id for e in assignment.exercise if e.stretch]:
        yield (
            f"Worth no points in nbgrader, which has none beyond the maximum: {', '.join(stretch)}."
        )


def _by_hand(checks: Sequence[Check]) -> bool:
    return all(check.kind in BY_HAND for check in checks)


def _free(wanted: str, taken: set[str]) -> str:
    choice, number = wanted, 2
    while choice in taken:
        choice, number = f"{wanted}-{number}", number + 1
    taken.add(choice)
    return choice
