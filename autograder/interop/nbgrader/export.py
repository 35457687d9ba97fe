"""Exports to an nbgrader course: one of our assignments, or the files that nbgrader's own grading
would leave, from results folders.

Covered: assignments imported from nbgrader, and ours that were released with `package nbgrader`.
Outputs come from stored evidence; a submission without matching evidence is written without them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.classroom.gradebook_of_class import ClassGradebook, open_book
from autograder.classroom.known_mistakes import read_solution
from autograder.classroom.personal_values import refuse_personal
from autograder.classroom.reference import NothingRuns, make_context
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.errors import SpecError, StoreError, UsageError
from autograder.evidence.records import Run
from autograder.evidence.store import key_of
from autograder.gradebook.grade import Grade
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.standing import Standing
from autograder.grading.context import GradingContext
from autograder.grading.device_runs import on_cpu
from autograder.grading.job import make_job
from autograder.interop.arrange import arrange
from autograder.interop.nbgrader.arrange import SOURCE
from autograder.interop.nbgrader.ours import Export, exported, parts, source_notebook
from autograder.interop.nbgrader.released import graded_notebook
from autograder.interop.nbgrader.trees import GradedNotebook, ReturnedNotebook, scores, trees
from autograder.notebook.submission import Submission
from autograder.notebook.template.release import read_template
from autograder.student.public_evidence import FILE


@dataclass(frozen=True, slots=True)
class CourseTrees:
    """Files by path in the course's folder; ``notes`` are sentences for the instructor."""

    files: Mapping[PurePosixPath, bytes]
    notes: tuple[str, ...] = ()


def course_export(loaded: Loaded) -> Export:
    """One of our assignments as ``source/`` and ``release/`` of an nbgrader course.

    Raises ``UsageError`` for an imported or unreleased assignment, and ``SpecError``.
    """
    if loaded.spec.brought is not None:
        raise UsageError(
            f"{loaded.spec.id} was imported from {loaded.spec.brought.tool}; release its original "
            "files"
        )
    refuse_personal(loaded, "by nbgrader")
    evidence = loaded.folder / FILE
    if not evidence.is_file():
        raise UsageError(
            f"{evidence} does not exist, so students could check nothing; run `autograder release "
            f"{loaded.spec.id}` first"
        )
    template = read_template(loaded.solution, loaded.spec)
    made = exported(
        loaded.spec,
        read_solution(loaded),
        public=evidence.read_bytes(),
        version=template["metadata"]["autograder"]["version"],
    )
    beside = {
        Path(folder, loaded.spec.id, name): data
        for folder in ("source", "release")
        for name, data in loaded.files.contents.items()
    }
    return replace(made, files={**beside, **made.files})


def course_trees(folders: Sequence[Path], url: str = "", *, zeros: bool = False) -> CourseTrees:
    """``autograded/``, ``feedback/`` and ``grades.csv`` of one or several results folders.

    Each notebook of an assignment has its own results folder. ``zeros``: grades.csv counts missing
    manual points and missing submissions as 0, as nbgrader does. Raises ``UsageError``,
    ``SpecError``, ``StoreError``.
    """
    notebooks: list[GradedNotebook] = []
    notes: list[str] = []
    people: Roster = NO_ROSTER
    for folder in folders:
        loaded = load(ResultsFolder(folder).assignment_folder())
        with open_book(folder, url) as book:
            notebooks.append(_notebook(loaded, book, notes))
            people = book.roster() if len(book.roster()) > len(people) else people
    # An export of nobody is no success.
    if not any(one.standings for one in notebooks):
        raise UsageError("nobody has a grade in these folders; nothing was written")
    return CourseTrees(trees(notebooks, people, zeros=zeros), tuple(notes))


def course_name(loaded: Loaded) -> tuple[str, str]:
    """The assignment's and the notebook's name in nbgrader.

    Raises ``UsageError`` for an assignment imported from another tool.
    """
    spec = loaded.spec
    if spec.brought is None:
        return spec.id, spec.id
    if spec.brought.tool != "nbgrader":
        raise UsageError(f"{spec.id} comes from {spec.brought.tool}, which has no such folders")
    return spec.brought.assignment or spec.id, spec.brought.notebook


def _notebook(loaded: Loaded, book: ClassGradebook, notes: list[str]) -> GradedNotebook:
    assignment, name = course_name(loaded)
    standings = book.standings()
    grades = {grade.student: grade for grade in book.grades()}
    late = loaded.spec.late
    return GradedNotebook(
        assignment,
        name,
        source_cells(loaded),
        sum(e.max_score for e in loaded.spec.exercise if not e.stretch),
        standings,
        tuple(_handed_back(loaded, book.workspace, grades, standings, notes)),
        late.due_at if late else None,
    )


def source_cells(loaded: Loaded) -> dict[str, Mapping[str, Any]]:
    """The instructor's cells by id, as nbgrader restores them; raises ``SpecError``."""
    if loaded.spec.brought is None:
        made = graded_notebook(source_notebook(loaded.spec, read_solution(loaded)))
        cells = made["cells"]
    else:
        path = loaded.folder / SOURCE
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError, TypeError) as bad:
            raise SpecError([f"{path}: cannot be read ({bad}); import it again"]) from None
    noted = ((cell["metadata"].get("nbgrader", {}).get("grade_id"), cell) for cell in cells)
    return {own: {**cell, "source": "".join(cell["source"])} for own, cell in noted if own}


def _handed_back(
    loaded: Loaded,
    workspace: ResultsFolder,
    grades: Mapping[str, Grade],
    standings: Sequence[Standing],
    notes: list[str],
) -> Iterator[ReturnedNotebook]:
    context = _stored(loaded, workspace)
    own = parts(loaded.spec)
    kept = {one.student: one for one in workspace.kept()}
    lost: list[str] = []
    for standing in standings:
        grade = grades.get(standing.student)
        if grade is None:
            continue
        submission = _counted(kept.get(standing.student), grade)
        run = _run(context, submission) if submission is not None else None
        if submission is not None and run is None:
            lost.append(standing.student)
        yield ReturnedNotebook(
            standing.student,
            scores(own, grade, standing),
            submission,
            run,
            _page(workspace, standing.student),
            standing.submitted_at,
        )
    if lost:
        notes.append(
            f"{loaded.spec.id}: without outputs, because no stored evidence matches any more: "
            f"{', '.join(lost[:20])}; run `autograder grade` again with the same --out"
        )


def _counted(kept: KeptSubmission | None, grade: Grade) -> Submission | None:
    """The submission that was graded: of several attempts, the one that counts."""
    if kept is None:
        return None
    attempts = [attempt.submission for attempt in kept.attempts] or [kept.submission]
    same = (
        attempt for attempt in attempts if attempt and attempt.sha256 == grade.submission.sha256
    )
    return next(same, kept.submission)


def _stored(loaded: Loaded, workspace: ResultsFolder) -> GradingContext:
    run = workspace.open_run()
    return make_context(
        loaded,
        prepare(loaded),
        NothingRuns(),
        seed=run.seed,
        draw=run.draw,
        evidence=workspace.evidence_at(),
        arrange=arrange,
    )


def _run(context: GradingContext, submission: Submission) -> Run | None:
    """The stored evidence of a submission; None if none matches."""
    return context.store.load(key_of(on_cpu(make_job(context, submission)[0])))


def _page(workspace: ResultsFolder, student: str) -> bytes | None:
    path = workspace.feedback(student)
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as bad:
        raise StoreError(f"{path}: cannot be read ({bad.strerror})") from None
