"""No run beside the first lowers a result: cells that are put in, and another order."""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import pytest

from autograder import pipeline
from autograder.classroom.results_folder import KeptSubmission
from autograder.errors import NotStoredError
from autograder.evidence.records import CellRun, TimeSpent
from autograder.grading.context import GradingContext, PreparedClass
from autograder.grading.runs import NOT_STORED, JudgedRun, further_runs, too_early
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.structure.locate import locate
from autograder.notebook.structure.outline import Outline, TemplateCell
from autograder.notebook.structure.restored import insert_originals, restore_missing, with_less
from autograder.notebook.submission import NotebookCell, Submission
from autograder.pipeline import grade_submission
from autograder.wire.messages import CellDone, Error

GIVEN = ("import math", "def helper():\n    return math.pi", "scale = helper()\nshown = 1")
OWN = (
    "import math, nope",
    "def helper():\n    raise ValueError",
    "start = math.sqrt(9.0)",
    "middle = start + scale",
    "alone = helper()",
    "shown = start",
    "alone = 7",
    "1 / 0",
    "print(middle)",
)
POINTS = {"start": 1000, "middle": 2000, "alone": 4000}


def notebook(draw: random.Random) -> Submission:
    """Cells of the template and of a student's own, some lost, in any order."""
    sources = draw.sample((*GIVEN, *OWN), draw.randint(3, 9))
    tags = {name: next((s for s in sources if s.startswith(name)), "") for name in POINTS}
    cells = tuple(
        NotebookCell(n, "code", source, next((t for t in tags if tags[t] == source), ""))
        for n, source in enumerate(sources, 1)
    )
    return Submission(f"{draw.random()}.ipynb", "0", cells)


class Box:
    """Runs nothing: what a run of just these cells gives is drawn, and kept."""

    def __init__(self, context: GradingContext, run: object, draw: random.Random) -> None:
        self._context, self._run, self._seed = context, run, draw.random()
        self.seen: dict[tuple[str, ...], dict[str, int]] = {}

    def attempt(self, prepared: PreparedClass, submission: Submission) -> JudgedRun:
        sources = tuple(cell.source for cell in submission.cells)
        draw = random.Random(f"{self._seed}{sources}")
        earned = {name: draw.choice((0, points)) for name, points in POINTS.items()}
        self.seen[sources] = earned
        verdicts = (
            Verdict(name, name, "value", False, Status.PASSED if got else Status.FAILED, got, most)
            for (name, got), most in zip(earned.items(), POINTS.values(), strict=True)
        )
        claims = [
            CellDone((), Error(("ImportError",), "nope")) if draw.random() < 0.4 else CellDone(())
            for _ in submission.cells
        ]
        cells = tuple(
            CellRun(cell.number, claim, None, TimeSpent(0.0, 0.0))
            for cell, claim in zip(submission.cells, claims, strict=True)
        )
        run = msgspec.structs.replace(self._run, cells=cells)
        located = locate(self._context.loaded.spec, submission, self._context.outline)
        return JudgedRun(tuple(verdicts), run, located, fresh=True)


@pytest.mark.parametrize("seed", range(200))
def test_no_exercise_earns_less_than_in_any_of_its_runs(
    ready: PreparedClass, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    outline = Outline([TemplateCell("code", "", source) for source in GIVEN])
    context = replace(ready.context, outline=outline)
    draw = random.Random(seed)
    submission, box = notebook(draw), Box(context, ready.expected, draw)

    def handed(made: Submission) -> KeptSubmission:
        return KeptSubmission("student-01", made.file, made)

    monkeypatch.setattr(pipeline, "judged_run", box.attempt)
    graded = grade_submission(PreparedClass(context, ready.expected), handed(submission), 0.0)
    got = {exercise.id: exercise.score for exercise in graded.grade.exercises}
    as_they_came = tuple(cell.source for cell in submission.cells)
    if got != POINTS:
        assert as_they_came in box.seen
    assert got == {name: max(run[name] for run in box.seen.values()) for name in POINTS}
    # a regrade starts from what is kept, gives the same, and needs no other run
    kept, seen = graded.submission, set(box.seen)
    assert kept is not None and graded.located is not None

    stored = PreparedClass(replace(context, mends=False), ready.expected)
    again = grade_submission(stored, handed(kept), 0.0)
    assert {exercise.id: exercise.score for exercise in again.grade.exercises} == got
    assert set(box.seen) == seen

    def stricter(prepared: PreparedClass, submission: Submission) -> JudgedRun:
        if tuple(cell.source for cell in submission.cells) not in seen:
            raise NotStoredError
        tried = box.attempt(prepared, submission)
        lost = (msgspec.structs.replace(v, status=Status.FAILED, earned=0) for v in tried.verdicts)
        return replace(tried, verdicts=tuple(lost))

    # a stricter rule may call for a run that there was no reason to make: then it is left out
    monkeypatch.setattr(pipeline, "judged_run", stricter)
    left = grade_submission(stored, handed(kept), 0.0)
    assert left.grade.status == "graded"
    first = left.tries[0]
    early = too_early(first.located, first.run)
    wanted = [other for other, _ in further_runs(context.loaded.spec, kept, first, early)]
    made = all(tuple(cell.source for cell in other.cells) in seen for other in wanted)
    assert (NOT_STORED in left.grade.submission.repairs) != made


def test_the_cells_that_were_put_in_are_known() -> None:
    outline = Outline([TemplateCell("code", "", source) for source in GIVEN])
    own = Submission(
        "x", "0", tuple(NotebookCell(n, "code", s) for n, s in enumerate((OWN[1], "scale"), 1))
    )
    assert with_less(own) == ()
    back = restore_missing(own, outline)
    (without,) = with_less(back)
    assert back != own and without.cells == own.cells
    both = insert_originals(back, outline, {1})
    assert both is not None
    assert [less.cells for less in with_less(both)] == [back.cells, own.cells]
