"""The further run of small calls: it explains what is wrong, and nothing depends on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from autograder.classroom.known_mistakes import read_solution
from autograder.errors import AutograderError, NotStoredError, SandboxError, StoreError
from autograder.evidence.records import ProbeRun, Run, Stop
from autograder.evidence.store import EvidenceFolder
from autograder.grading.context import PreparedClass
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.literals import both_written
from autograder.judging.diagnosis.small_calls import MOST_CALLS
from autograder.judging.verdict import RanLine, SmallestCall, Status, Verdict
from autograder.notebook.structure.locate import GIVEN, Located
from autograder.notebook.structure.needed_cells import needed_cells
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, apply_variant
from autograder.pipeline import judged_run
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call, Cell, Job, Outcome, Probe
from autograder.wire.tensors import to_wire
from tests.support.courses import SMALL, write_course
from tests.support.grading_courses import without_mistakes
from tests.support.made_calls import anything
from tests.support.recorded_jobs import JobRecorder

RIGHT = {
    "center": "def center(table):\n    return table - table.mean(dim=1, keepdim=True)",
    "sizes": "def sizes(table):\n    return (center(table) ** 2).sum(dim=1)",
}
WRONG = {
    "center": (
        "def center(table):\n    return table - table.mean()",
        "def center(table):\n    return (table - table.mean(dim=1, keepdim=True)).abs()",
        "def center(table):\n    return table[1:] - table[1:].mean(dim=1, keepdim=True)",
        "def center(table):\n    return table - table.mean(dim=2, keepdim=True)",
        "def center(table):\n    return table - table.mean(dim=0)",
    ),
    "sizes": (
        "def sizes(table):\n    return (center(table) ** 2).sum(dim=1) + 1e-4",
        "def sizes(table):\n    return (center(table) ** 2).sum()",
        "def sizes(table):\n    return None",
    ),
}


@dataclass
class Failing(JobRecorder):
    """Fails instead with jobs of small calls."""

    fails: AutograderError | None = None

    def run(self, job: Job) -> Run:
        if self.fails is not None and all(is_small(probe.id) for probe in job.probes):
            self.jobs.append(job)
            raise self.fails
        return super().run(job)


@pytest.fixture(scope="module")
def course(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    root = tmp_path_factory.mktemp("small")
    return without_mistakes(write_course(root / "course", SMALL), warm_box, root / "evidence")


def answer(course: PreparedClass, exercise: str, code: str) -> Submission:
    solution = read_solution(course.context.loaded)
    return apply_variant(solution, Variant("mine", exercise, "mine", "", code))


def watched(
    course: PreparedClass, folder: Path, fails: AutograderError | None = None
) -> tuple[PreparedClass, JobRecorder]:
    """The class with an evidence folder and a runner of its own."""
    runner = Failing(course.context.runner, fails=fails)
    context = replace(course.context, runner=runner, store=EvidenceFolder(folder))
    return replace(course, context=context), runner


def told(verdicts: tuple[Verdict, ...]) -> Mapping[str, SmallestCall]:
    return {f"{v.exercise}/{v.check}": v.smallest for v in verdicts if v.smallest is not None}


def without_calls(verdicts: tuple[Verdict, ...]) -> list[Verdict]:
    """What counts, and what the check itself says."""
    return [msgspec.structs.replace(v, smallest=None, cause=None, diagnosis="") for v in verdicts]


def test_nothing_more_is_asked_of_a_right_answer(course: PreparedClass, tmp_path: Path) -> None:
    prepared, runner = watched(course, tmp_path)
    run = judged_run(prepared, read_solution(course.context.loaded))
    assert {v.status for v in run.verdicts} == {Status.PASSED}
    assert len(runner.jobs) == 1
    assert not any(is_small(probe.id) for probe in runner.jobs[0].probes)


@pytest.mark.slow
@pytest.mark.parametrize("exercise", WRONG)
def test_the_smallest_call_is_what_it_gives_by_hand(
    course: PreparedClass, tmp_path: Path, exercise: str
) -> None:
    """The call is typed in, with the student's function and with the solution's."""
    prepared, runner = watched(course, tmp_path)
    for code in WRONG[exercise]:
        runner.jobs.clear()
        run = judged_run(prepared, answer(course, exercise, code))
        calls = told(run.verdicts)
        mine = {check: call for check, call in calls.items() if check.startswith(exercise)}
        assert mine, code
        for call in mine.values():
            right, wrong = ({"torch": torch}, {"torch": torch})
            for namespace, own in ((right, RIGHT[exercise]), (wrong, code)):
                exec("\n\n".join(RIGHT.values()), namespace)
                exec(own, namespace)
            expected = to_wire(eval(call.call, right))
            try:
                pair = both_written(expected, to_wire(eval(call.call, wrong)))
            except Exception as raised:
                assert type(raised).__name__ in call.actual
            else:
                assert (call.expected, call.actual) == pair
        judged, small = runner.jobs[:2]  # the edits of a repair come after it
        assert small.limits.call_cpu_s < judged.limits.call_cpu_s
        asked = [probe.exercise for probe in small.probes]
        assert all(0 < asked.count(one) <= MOST_CALLS for one in asked)
        assert all(is_small(probe.id) for probe in small.probes)
        uses = {"center"} if "center(" in code else set()
        assert {cell.exercise for cell in small.cells} - {GIVEN} == {*uses, *asked}


@pytest.mark.parametrize("fault", [SandboxError("lost"), NotStoredError("never run")])
def test_a_small_run_that_fails_costs_nothing(
    course: PreparedClass, tmp_path: Path, fault: AutograderError
) -> None:
    submission = answer(course, "center", WRONG["center"][0])
    whole, _ = watched(course, tmp_path / "whole")
    lost, runner = watched(course, tmp_path / "lost", fault)
    with_calls, without = (judged_run(made, submission).verdicts for made in (whole, lost))
    assert len(runner.jobs) >= 2
    assert told(with_calls) and not told(without)
    assert without_calls(with_calls) == without_calls(without)


def test_a_full_disk_ends_the_batch(course: PreparedClass, tmp_path: Path) -> None:
    prepared, _ = watched(course, tmp_path, StoreError("the disk is full"))
    with pytest.raises(StoreError):
        judged_run(prepared, answer(course, "center", WRONG["center"][0]))


BRANCH = """def center(table):
    if len(table) == 2:
        return table
    return table - table.mean(dim=1, keepdim=True)"""


def test_what_runs_only_where_it_goes_wrong_is_quoted(
    course: PreparedClass, tmp_path: Path
) -> None:
    """Also for an exercise that calls the function; only small calls are traced."""
    prepared, runner = watched(course, tmp_path)
    first = judged_run(prepared, answer(course, "center", BRANCH))
    line = (RanLine(3, 3, "    return table"),)
    assert {check: call.ran for check, call in told(first.verdicts).items()} == {
        "center/example": line,
        "sizes/sizes": line,
    }
    traced = [
        {getattr(probe.request, "trace", False) for probe in job.probes} for job in runner.jobs
    ]
    assert traced[:2] == [{False}, {False, True}] and all(one == {False} for one in traced[2:])
    again, idle = watched(course, tmp_path)
    assert judged_run(again, answer(course, "center", BRANCH)).verdicts == first.verdicts
    assert not idle.jobs
    everywhere = told(judged_run(prepared, answer(course, "center", WRONG["center"][3])).verdicts)
    assert everywhere and not any(call.ran for call in everywhere.values())


LATER_RIGHT = """calls = []
def center(table):
    calls.append(table)
    if table.shape[1] % 2 and len(calls) < {most}:
        return table
    return table - table.mean(dim=1, keepdim=True)"""


def test_no_property_is_told_of_an_answer_that_depends_on_earlier_calls(
    course: PreparedClass, tmp_path: Path
) -> None:
    """One that is right in the end is wrong in the same calls at first."""
    words = {}
    for most in (10_000, 30):
        prepared, runner = watched(course, tmp_path / str(most))
        run = judged_run(prepared, answer(course, "center", LATER_RIGHT.format(most=most)))
        words[most] = {v.diagnosis for v in run.verdicts if "Wrong in all" in v.diagnosis}
        again = [probe.id for probe in runner.jobs[1].probes if probe.id.endswith("/again")]
        assert again
    assert words[10_000] and not words[30]


def test_a_relation_that_holds_does_not_refute_a_property(
    course: PreparedClass, tmp_path: Path
) -> None:
    """What is finite may be wrong. And a call that two checks ask counts once."""
    prepared, runner = watched(course, tmp_path)
    run = judged_run(prepared, answer(course, "center", LATER_RIGHT.format(most=10_000)))
    (sentence,) = {v.diagnosis for v in run.verdicts if v.exercise == "center" and v.diagnosis}
    requests = [probe.request for job in runner.jobs[:2] for probe in job.probes]
    asked = [r.args for r in requests if isinstance(r, Call) and r.target == "center"]
    assert 8 < sum(map(int, re.findall(r"\d+", sentence))) <= len({*asked}) < len(asked)


def test_no_answer_to_a_small_call_changes_a_verdict(course: PreparedClass, tmp_path: Path) -> None:
    """Whatever comes back: nothing, a stop, an exception, a value of any kind."""
    rng = np.random.default_rng(8)
    prepared, _ = watched(course, tmp_path)
    for exercise in WRONG:
        run = judged_run(prepared, answer(course, exercise, WRONG[exercise][0]))
        spec, reference = course.context.loaded.spec, course.reference
        for _ in range(12):
            records = [_spoiled(rng, record) for record in run.run.probes]
            kept = tuple(record for record in records if record is not None)
            spoiled = msgspec.structs.replace(run.run, probes=kept)
            verdicts = diagnose(spec, run.verdicts, spoiled, reference, course.bank)
            assert without_calls(verdicts) == without_calls(run.verdicts)


def _spoiled(rng: np.random.Generator, record: ProbeRun) -> ProbeRun | None:
    if not is_small(record.id):
        return record
    kind = rng.integers(0, 5)
    if kind == 0:
        return None
    if kind == 1:
        return msgspec.structs.replace(record, claim=None, stop=Stop("cpu", "It took too long."))
    if kind == 2:
        return record
    claim = Outcome("returned" if kind == 3 else "raised", anything(rng))
    return msgspec.structs.replace(record, claim=claim)


CELLS = (
    Cell(1, "import math", GIVEN),
    Cell(2, "def base(x):\n    return math.floor(x) + 1", "base"),
    Cell(3, "scale = base(2)", "scale"),
    Cell(4, "def scaled(x):\n    return base(x) * scale", "scaled"),
    Cell(5, "class Model:\n    def __call__(self, x):\n        return scaled(x)", "Model"),
    Cell(6, "raise RuntimeError('trained for an hour')", "training"),
    Cell(7, "def plain(x):\n    return x", "plain"),
    Cell(8, "shown = [plain(1)]", GIVEN),
    Cell(9, "math.limit = 3", GIVEN),
    Cell(10, "mine = 1", ""),
    Cell(11, "def doubled(x):\n    return 2 * plain(x)", GIVEN),
)
NEEDED = {
    "plain": (7, 10),
    "doubled": (7, 10, 11),
    "base": (1, 2, 9, 10),
    "Model": (1, 2, 3, 4, 5, 9, 10),
}


@pytest.mark.parametrize("exercise", NEEDED)
def test_what_functions_need_when_they_are_called_is_there(exercise: str) -> None:
    located = Located((), {cell.exercise: (cell.number,) for cell in CELLS})
    asked = Probe("1", exercise, Call(exercise, exercise, ()))
    cells = needed_cells(CELLS, located, [exercise], [asked])
    assert tuple(cell.number for cell in cells) == NEEDED[exercise]
    names: dict[str, Any] = {}
    for cell in cells:
        exec(cell.source, names)
    made = names[exercise]
    assert (made() if isinstance(made, type) else made)(1) > 0
