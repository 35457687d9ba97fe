"""Our grades in nbgrader's folders: ``autograded/``, ``feedback/``, ``grades.csv``.

A test cell of an autograded notebook has the output that nbgrader's own rule turns into our score:
an error for none, a number for a part, nothing for all points. The score is also in the cell's
metadata, outside nbgrader's, whose schema has no field for it.
Not covered: gradebook.db, in which nbgrader keeps scores and comments.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

import msgspec
import nbformat

from autograder.errors import UsageError
from autograder.evidence.records import Measured, Run
from autograder.gradebook.export import cell_text
from autograder.gradebook.grade import CheckGrade, Grade, as_points
from autograder.gradebook.people import Roster
from autograder.gradebook.standing import Standing
from autograder.interop.exports.sheets import writable
from autograder.interop.nbgrader.ours import CellPart
from autograder.interop.nbgrader.scores import HEADER
from autograder.judging.verdict import Status
from autograder.notebook.executed import executed_notebook
from autograder.notebook.students import safe_name
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.release import notebook_bytes

TIMESTAMP = "timestamp.txt"
_MARK = "nbgrader:"
_NOT_RUN = Run((), (), Measured(0.0, 0.0, 0.0, 0, "none", ()))


@dataclass(frozen=True, slots=True)
class CellScore:
    """Points in thousandths; ``score`` is None while manual points are missing. ``status``: the
    automatic verdict, ``said``: its reasons."""

    score: int | None
    max_score: int
    by_hand: bool
    status: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class ReturnedNotebook:
    """One notebook of one student. ``submission`` and ``run`` are None if nothing was run."""

    student: str
    scores: Mapping[str, CellScore]
    submission: Submission | None = None
    run: Run | None = None
    page: bytes | None = None
    submitted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class GradedNotebook:
    """One graded notebook of an assignment: ``source`` has the instructor's cells by grade_id, as
    notebook JSON objects, in order. ``max_score`` is in thousandths."""

    assignment: str
    name: str
    source: Mapping[str, Mapping[str, Any]]
    max_score: int
    standings: tuple[Standing, ...]
    handed_back: tuple[ReturnedNotebook, ...] = ()
    due: datetime | None = None


def trees(
    notebooks: Sequence[GradedNotebook], roster: Roster, *, zeros: bool = False
) -> dict[PurePosixPath, bytes]:
    """Every file by its path in a course's folder; ``zeros`` as for ``grades_csv``.

    Raises ``UsageError`` if a notebook appears twice, or a name cannot be a file name.
    """
    twice = [key for key, n in Counter((b.assignment, b.name) for b in notebooks).items() if n > 1]
    if twice:
        named = ", ".join("/".join(key) for key in twice)
        raise UsageError(f"{named}: graded twice; give each results folder once")
    files: dict[PurePosixPath, bytes] = {}
    for notebook in notebooks:
        _one_name(notebook.assignment, "assignment")
        _one_name(notebook.name, "notebook")
        for back in notebook.handed_back:
            files |= _files(notebook, back)
    files[PurePosixPath("grades.csv")] = grades_csv(notebooks, roster, zeros=zeros)
    return files


def scores(own: Sequence[CellPart], grade: Grade, standing: Standing) -> dict[str, CellScore]:
    """Each graded cell's score by grade_id, including manual points. If an override sets an
    exercise's points, its earlier cells keep their points up to that sum."""
    judged = {(e.id, c.id): c for e in grade.exercises for c in e.checks}
    whole = {exercise.id: exercise.score for exercise in standing.exercises}
    left = {
        exercise.id: exercise.score or 0 for exercise in standing.exercises if exercise.overridden
    }
    found: dict[str, CellScore] = {}
    for part in own:
        checks = [c for id_ in part.checks if (c := judged.get((part.exercise, id_))) is not None]
        said = " ".join(check.message for check in checks if check.message)
        others = [other for other in own if other.exercise == part.exercise and other is not part]
        last = not others or part.by_hand
        automatic = sum(check.score or 0 for check in checks)
        taken = sum(_automatic(other, judged) for other in others)
        total = whole.get(part.exercise)
        score = (None if total is None else total - taken) if last else automatic
        if part.exercise in left:
            end = part is [other for other in own if other.exercise == part.exercise][-1]
            score = left[part.exercise] if end else min(automatic, left[part.exercise])
            left[part.exercise] -= score
        wrong = (check.status.value for check in checks if check.status is not Status.PASSED)
        status = next(wrong, "passed" if checks else "missing")
        found[part.grade_id] = CellScore(score, part.points, part.by_hand, status, said)
    return found


def autograded(
    notebook: GradedNotebook,
    submission: Submission,
    run: Run | None,
    cells: Mapping[str, CellScore],
) -> nbformat.NotebookNode:
    """The notebook as it was run: the instructor's locked cells, the student's other cells,
    outputs, and the score of every graded cell. Missing graded cells are added at the end."""
    source, last = notebook.source, _last(notebook.source, submission)
    theirs = tuple(
        _instructors(source[_id_of(cell)], cell) if last.get(_id_of(cell)) == cell.number else cell
        for cell in submission.cells
    )
    shown = msgspec.structs.replace(submission, cells=theirs)
    made = executed_notebook(shown, run or _NOT_RUN)
    for cell, was in zip(made["cells"], submission.cells, strict=True):
        own = _id_of(was)
        if last.get(own) == was.number:
            _marked(cell, own, source[own], cells.get(own))
    for own, original in source.items():
        if own in cells and own not in last:
            made["cells"].append(_absent(own, original, cells[own]))
    return made


def grades_csv(
    notebooks: Sequence[GradedNotebook], roster: Roster, *, zeros: bool = False
) -> bytes:
    """The columns of `nbgrader export`, one row for each assignment and student; the points of an
    assignment's notebooks are added up. Unlike nbgrader, values are quoted if necessary.

    Scores are blank if nothing was submitted or a score is not final in one of the notebooks;
    with ``zeros``, missing points count as 0, as in nbgrader. A missing notebook counts as 0 if
    others of the assignment were submitted.
    """
    page = io.StringIO(newline="")
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(HEADER)
    for assignment in dict.fromkeys(notebook.assignment for notebook in notebooks):
        own = [notebook for notebook in notebooks if notebook.assignment == assignment]
        students = sorted({s.student for notebook in own for s in notebook.standings})
        for student in students:
            row = _row(assignment, student, own, roster, zeros)
            writer.writerow([writable(value) for value in row])
    return page.getvalue().encode()


def _row(
    assignment: str,
    student: str,
    notebooks: Sequence[GradedNotebook],
    roster: Roster,
    zeros: bool,
) -> tuple[str, ...]:
    person = roster.person(student)
    named = person.last_name or person.first_name
    last, first = (person.last_name, person.first_name) if named else (person.full_name, "")
    found = [s for n in notebooks for s in n.standings if s.student == student]
    came = [s for s in found if s.state != "absent"]
    due = next((notebook.due for notebook in notebooks if notebook.due), None)
    when = max((s.submitted_at for s in came if s.submitted_at), default=None)
    most = sum(notebook.max_score for notebook in notebooks)
    final = zeros or (bool(came) and all(s.state == "final" for s in came))
    score = sum((s.so_far if s.score is None else s.score) or 0 for s in came)
    penalty = sum(s.penalty for s in came)
    shown = (_number(score + penalty), _number(penalty), _number(score)) if final else ("", "", "")
    return (
        assignment,
        _time(due),
        _time(when),
        student,
        cell_text(last),
        cell_text(first),
        cell_text(person.email),
        *shown,
        _number(most),
    )


def _files(
    notebook: GradedNotebook, back: ReturnedNotebook
) -> Iterator[tuple[PurePosixPath, bytes]]:
    place = PurePosixPath(safe_name(back.student), notebook.assignment)
    stamp = f"{_time(back.submitted_at)} UTC\n".encode() if back.submitted_at else None
    made = []
    if back.submission is not None:
        node = autograded(notebook, back.submission, back.run, back.scores)
        made.append(("autograded", f"{notebook.name}.ipynb", notebook_bytes(node)))
    if back.page is not None:
        made.append(("feedback", f"{notebook.name}.html", back.page))
    for folder, name, data in made:
        yield PurePosixPath(folder) / place / name, data
        if stamp is not None:
            yield PurePosixPath(folder) / place / TIMESTAMP, stamp


def _instructors(original: Mapping[str, Any], cell: NotebookCell) -> NotebookCell:
    """The student's cell as nbgrader grades it: with the released kind and a locked cell's text."""
    text = cell.source if _is_answer(original) else str(original["source"])
    return msgspec.structs.replace(cell, kind=original["cell_type"], source=text)


def _is_answer(original: Mapping[str, Any]) -> bool:
    noted = original["metadata"]["nbgrader"]
    return bool(noted.get("solution")) or not (noted.get("grade") or noted.get("locked"))


def _marked(
    cell: nbformat.NotebookNode, own: str, original: Mapping[str, Any], score: CellScore | None
) -> None:
    """Add nbgrader's metadata and the score to a cell of the notebook."""
    cell["metadata"].update(nbformat.from_dict(dict(original["metadata"])))
    if score is None:
        return
    noted = {
        "score": as_points(score.score) if score.score is not None else None,
        "max_score": as_points(score.max_score),
        "status": score.status,
    }
    cell["metadata"]["autograder"] = nbformat.from_dict(noted)
    if cell["cell_type"] == "code" and not score.by_hand:
        cell["outputs"] = [nbformat.from_dict(output) for output in _outputs(score)]


def _outputs(score: CellScore) -> Iterator[dict[str, Any]]:
    """The outputs that nbgrader's rule turns into this score, at most into all points: nbgrader
    would refuse more, as extra exercises have."""
    earned = min(score.score or 0, score.max_score)
    if earned == score.max_score and (score.score or score.status == "passed"):
        return
    if earned:
        yield {
            "output_type": "execute_result",
            "execution_count": None,
            "metadata": {},
            "data": {"text/plain": str(as_points(earned))},
        }
    else:
        lines = [f"{score.status}: {score.said}".rstrip(": ")]
        yield {
            "output_type": "error",
            "ename": score.status,
            "evalue": score.said,
            "traceback": lines,
        }


def _absent(own: str, original: Mapping[str, Any], score: CellScore) -> nbformat.NotebookNode:
    """A graded cell that is missing in the submission."""
    made = {
        "cell_type": original["cell_type"],
        "id": f"absent-{own}"[:64],
        "metadata": {},
        "source": original["source"],
    }
    if original["cell_type"] == "code":
        made |= {"execution_count": None, "outputs": []}
    cell = nbformat.from_dict(made)
    _marked(cell, own, original, score)
    return cell


def _last(source: Mapping[str, Any], submission: Submission) -> dict[str, int]:
    """The number of the last cell with each of the instructor's ids."""
    return {own: c.number for c in submission.cells if (own := _id_of(c)) in source}


def _id_of(cell: NotebookCell) -> str:
    found = (mark.removeprefix(_MARK) for mark in cell.marks if mark.startswith(_MARK))
    return next(found, "")


def _automatic(part: CellPart, judged: Mapping[tuple[str, str], CheckGrade]) -> int:
    found = (judged.get((part.exercise, check)) for check in part.checks)
    return sum(check.score or 0 for check in found if check is not None)


def _one_name(name: str, what: str) -> None:
    """Raise ``UsageError`` for a name that could point outside its folder."""
    # Names that lead out of a course.
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise UsageError(f"the {what} name {name!r} cannot be used as a file name")


def _number(amount: int) -> str:
    """Thousandths as nbgrader writes points: with a decimal point."""
    return str(float(as_points(amount)))


def _time(when: datetime | None) -> str:
    if when is None:
        return ""
    return str(when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when)
