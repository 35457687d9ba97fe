"""One edit from right: found by running edits, judged as answers are, and shown beside points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from rich.console import Console

from autograder.assignment.load import Loaded
from autograder.classroom.reference import only_stored
from autograder.classroom.results_folder import KeptSubmission
from autograder.errors import NotStoredError
from autograder.evidence.records import Run
from autograder.gradebook.grade import Grade
from autograder.grading.context import PreparedClass
from autograder.grading.repair_run import MOST_EDITS
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.verdict import Repair, Status
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_submission
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from autograder.reports.terminal.grades import student_view
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call, Job, Probe
from tests.support.courses import write_course
from tests.support.grading_courses import COURSES, without_mistakes
from tests.support.recorded_jobs import JobRecorder

SCALE = "def scale(x):\n    total = x.abs().sum(dim=1)\n    return total * 10"
SPREAD = "def spread(x):\n    return x.max() * 10 / scale(x).mean()"


@pytest.fixture(scope="module")
def spreads(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return write_course(tmp_path_factory.mktemp("spreads"), COURSES["spreads"])


@pytest.fixture(scope="module")
def ready(
    spreads: Loaded, warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory
) -> PreparedClass:
    return without_mistakes(spreads, warm_box, tmp_path_factory.mktemp("evidence"))


Grading = Callable[..., tuple[Grade, list[Job]]]


def graded(prepared: PreparedClass, submission: Submission) -> Grade:
    handed = KeptSubmission("student-01", submission.file, submission)
    return grade_submission(prepared, handed, 0.0).grade


@pytest.fixture
def grading(ready: PreparedClass, spreads: Loaded) -> Grading:
    """Grades the solution with other texts; returns also the jobs that edit `scale`."""

    def grade(*changes: tuple[str, str]) -> tuple[Grade, list[Job]]:
        box = JobRecorder(ready.context.runner)
        prepared = replace(ready, context=replace(ready.context, runner=box))
        result = graded(prepared, changed(spreads, *changes))
        return result, [job for job in box.jobs if job.keep_after[0][0].startswith("scale~")]

    return grade


def changed(spreads: Loaded, *changes: tuple[str, str]) -> Submission:
    """The solution with other text in its cells."""
    right = read(spreads.solution)
    cells = []
    for cell in right.cells:
        source = cell.source
        for old, new in changes:
            source = source.replace(old, new)
        cells.append(msgspec.structs.replace(cell, source=source))
    return msgspec.structs.replace(right, cells=tuple(cells))


AXIS = ("sum(dim=1)", "sum(dim=0)")


def test_one_edit_from_right_is_found_and_changes_no_points(grading: Grading) -> None:
    more = "".join(f"    a{n} = x.sum() + {n}\n" for n in range(20))
    grade, jobs = grading(AXIS, ("    return total", f"{more}    return total"))
    scale, spread, answer = grade.exercises
    line = "    total = x.abs().sum(dim={})"
    assert scale.repair == Repair(3, "the axis", line.format(0), line.format(1))
    assert (scale.status, scale.score, answer.score) == (Status.FAILED, 0, 1000)
    assert len(jobs[0].keep_after) == MOST_EDITS > 10 > len(jobs[1].keep_after)
    assert spread.repair is None


@pytest.mark.parametrize(
    ("change", "place", "after"),
    [
        (("total * 10", "total * 100"), "line 4: the number", "return total * 10"),
        (("x.max()", "x.min()"), "line 3: the function that is called", SPREAD.split("\n")[1]),
    ],
)
def test_other_faults_are_found(
    grading: Grading, change: tuple[str, str], place: str, after: str
) -> None:
    grade, _ = grading(change)
    repairs = [exercise.repair for exercise in grade.exercises if exercise.repair is not None]
    assert [(repair.place, repair.after.strip()) for repair in repairs] == [(place, after.strip())]


TWICE = "def scale(x):\n    total = x.abs().sum(dim=1) * 2\n    return total * 10"
NOT_REPAIRED: dict[
    str, tuple[list[tuple[str, str]], bool]
] = {  # changes, and whether edits are run
    "right": ([], False),
    "no such function": ([("def scale", "def scaled"), ("scale(x)", "x")], False),
    "no Python": ([(SCALE, "def scale(x:")], False),
    "an answer that is written down": ([("answer = 42", "answer = 43")], False),
    "two faults": ([AXIS, ("total * 10", "total * 100")], True),
    "edits in two lines": ([(SCALE, TWICE)], True),
}


@pytest.mark.parametrize("what", NOT_REPAIRED)
def test_there_is_no_repair(grading: Grading, what: str) -> None:
    changes, tried = NOT_REPAIRED[what]
    grade, jobs = grading(*changes)
    assert {exercise.repair for exercise in grade.exercises} == {None}
    assert bool(jobs) == tried


def test_hidden_inputs_do_not_choose_a_line(grading: Grading) -> None:
    """Edits of two lines are right but for the hidden table, where only one of them is: shown, its
    line would tell how wide that table is."""
    choosing = """def scale(x):
    narrow = 3
    wide = 3
    if x.shape[1] == 6:
        return x.abs().sum(dim=1) * 10 if wide == 2 else x
    if 2 in (narrow, wide):
        return x.abs().sum(dim=1) * 10
    return x"""
    grade, jobs = grading((SCALE, choosing))
    assert grade.exercises[0].repair is None
    first, second = (job.probes for job in jobs)
    assert not any(map(wide_table, first))
    small = max(place for place, probe in enumerate(second) if is_small(probe.id))
    assert small < min(place for place, probe in enumerate(second) if wide_table(probe))


def wide_table(probe: Probe) -> bool:
    """Whether it is a call with the hidden table."""
    request = probe.request
    return isinstance(request, Call) and getattr(request.args[0], "shape", ()) == (3, 6)


@pytest.mark.slow
def test_a_slow_cell_is_edited_less(grading: Grading) -> None:
    _, jobs = grading(AXIS, ("def scale", "for _ in range(32_000_000): pass\ndef scale"))
    assert all(len(job.keep_after) < 10 for job in jobs)


def test_what_was_not_stored_gives_no_repair_and_the_same_points(
    ready: PreparedClass, spreads: Loaded
) -> None:
    submission = changed(spreads, AXIS, ("x.abs", "torch.abs(x).abs"))
    first = graded(ready, submission)
    assert graded(only_stored(ready), submission).exercises == first.exercises

    class Refusing(JobRecorder):
        def run(self, job: Job) -> Run:
            if any("~" in kept for kept, _ in job.keep_after):  # a job of edits
                raise NotStoredError
            return super().run(job)

    without = replace(ready, context=replace(ready.context, runner=Refusing(ready.context.runner)))
    other = graded(without, changed(spreads, AXIS, ("x.abs", "torch.abs(x).abs().abs")))
    assert other.exercises[0].repair is None
    assert [e.score for e in other.exercises] == [e.score for e in first.exercises]


def test_who_sees_what(grading: Grading, spreads: Loaded) -> None:
    grade, _ = grading(AXIS)
    console = Console(width=100)
    with console.capture() as shown:
        console.print(student_view(grade))
    for text in (
        "One edit away from a right answer, in line 3: the axis",
        "- ",
        "+     total = x.abs().sum(dim=1)",
    ):
        assert text in shown.get()
    seen = {}
    for level in ("none", "line", "edit"):
        spec = spreads.spec.model_copy(update={"repairs": level})
        seen[level] = feedback_page(feedback(grade, spec), None, {})
    assert "One edit" not in seen["none"]
    assert "line 3: the axis" in seen["line"] and "sum(dim=0)" in seen["line"]
    assert "sum(dim=1)" not in seen["line"] and "sum(dim=1)" in seen["edit"]
