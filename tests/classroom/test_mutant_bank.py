"""The mutants of an exercise, run together in one job: each as if it had been run alone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom import mutant_bank
from autograder.classroom.known_mistakes import read_solution
from autograder.classroom.mutant_bank import MutantBank
from autograder.classroom.reference import only_stored
from autograder.classroom.results_folder import KeptSubmission
from autograder.errors import SandboxError
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.gradebook.grade import CheckGrade
from autograder.grading.context import PreparedClass
from autograder.grading.job import run_solution
from autograder.notebook.template.variant import Variant, apply_variant
from autograder.pipeline import grade_submission
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Job
from tests.support.courses import SMALL, prepare_course, write_course
from tests.support.recorded_jobs import JobRecorder

TINY_TOML = """
format = 1
id = "tiny"
title = "Tiny"
[[exercise]]
id = "sums"
title = "A sum"
defines = ["total"]
[[exercise.check]]
id = "total"
kind = "value"
title = "the total"
points = 1
name = "total"
"""
TINY = """# %% locked=true
earlier = []

# %% exercise="sums"
# BEGIN SOLUTION
{}
# END SOLUTION
"""
ADDED = "def center(table):\n    return torch.add(table, table.sum(1)[:, None] / table.size(1))\n"


@pytest.fixture(scope="module")
def small(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    folder = tmp_path_factory.mktemp("small")
    return prepare_course(write_course(folder, SMALL), warm_box, folder / "evidence")


def tiny(box: LazyBox, folder: Path, code: str) -> PreparedClass:
    """A class with one exercise, whose solution is this code."""
    files = {
        "assignments/tiny/assignment.toml": TINY_TOML,
        "solutions/tiny/solution.py": TINY.format(code),
    }
    return prepare_course(write_course(folder, files), box, folder / "evidence")


def watching(prepared: PreparedClass) -> tuple[PreparedClass, JobRecorder]:
    """The class with an empty store, and what runs its jobs."""
    runner = JobRecorder(prepared.context.runner)
    folder = prepared.context.loaded.folder / f"empty-{id(runner)}"
    context = replace(prepared.context, runner=runner, store=EvidenceFolder(folder))
    return replace(prepared, context=context), runner


def titles(prepared: PreparedClass, exercise: str) -> set[str]:
    return {mutant.said.title for mutant in MutantBank(prepared).of(exercise)}


def wrong(prepared: PreparedClass, exercise: str, code: str) -> Iterator[CheckGrade]:
    """What was found wrong in the solution with other code for one exercise."""
    solution = read_solution(prepared.context.loaded)
    changed = apply_variant(solution, Variant("student", exercise, "", "", code))
    grade = grade_submission(prepared, KeptSubmission("student-01", "a.py", changed), 0.0).grade
    own = next(e for e in grade.exercises if e.id == exercise)
    return (check for check in own.checks if check.status.value == "failed")


@pytest.mark.slow
def test_an_answer_equal_to_a_mutant_is_explained_however_it_is_spelled(
    small: PreparedClass,
) -> None:
    (*failed,) = wrong(small, "center", ADDED)
    assert {check.id for check in failed} == {"example", "tables"}
    for check in failed:
        assert check.diagnosis == (
            "Your results are exactly what the right solution would give if values were added "
            "instead of subtracted."
        )
        assert check.cause is not None
        assert check.cause.mutant == "as if values were added instead of subtracted"
    near = ADDED.replace("table.size(1)", "(table.size(1) + 1)")
    assert {check.diagnosis for check in wrong(small, "center", near)} == {""}
    columns = ADDED.replace("torch.add", "torch.sub").replace("sum(1)[:, None]", "sum(0)")
    columns = columns.replace("size(1)", "size(0)")
    assert {check.diagnosis for check in wrong(small, "center", columns)} == {
        "You took away the mean of each column."
    }


@pytest.mark.slow
@pytest.mark.parametrize("exercise", ["center", "sizes"])
def test_each_mutant_answers_as_if_it_were_alone(small: PreparedClass, exercise: str) -> None:
    """With the same answers as when it is the notebook's only change."""
    solution = read_solution(small.context.loaded)
    chosen = small.mutants.of(exercise)[::4]
    assert len(chosen) > 3
    for mutant in chosen:
        assert isinstance(mutant.said, Variant)
        alone, together = (
            run_solution(small.context, apply_variant(solution, mutant.said)),
            mutant.evidence.run,
        )
        assert [alone.answer(p.id) for p in together.probes] == [
            together.answer(p.id) for p in together.probes
        ]


def test_a_class_asks_for_an_exercises_mutants_once(small: PreparedClass) -> None:
    """Also when several submissions are judged at once; a regrade reads what was stored."""
    prepared, runner = watching(small)
    bank = MutantBank(prepared)
    with ThreadPoolExecutor(4) as pool:
        every = list(pool.map(bank.of, ["center"] * 4))
    assert len(runner.jobs) == 1
    assert every[0] and all(one is every[0] for one in every)
    assert titles(only_stored(prepared), "center") == {mutant.said.title for mutant in every[0]}
    assert len(runner.jobs) == 1


def test_mutants_that_cannot_be_run_end_no_batch(small: PreparedClass) -> None:
    class Broken:
        def run(self, job: Job) -> Run:
            raise SandboxError("no processes left")

        def accepts(self, level: str) -> bool:
            return True

    prepared, _ = watching(small)
    broken = replace(prepared, context=replace(prepared.context, runner=Broken()))
    for lost in (only_stored(prepared), broken):
        bank = MutantBank(lost)
        assert bank.of("center") == ()
        assert bank.lost == {"center"}


def test_cells_that_depend_on_each_other_make_no_bank(warm_box: LazyBox, tmp_path: Path) -> None:
    alone = tiny(warm_box, tmp_path / "a", "total = sum([*earlier, 1 + 1])")
    assert "as if values were subtracted instead of added" in titles(alone, "sums")
    shared = tiny(warm_box, tmp_path / "b", "earlier.append(1 + 1)\ntotal = sum(earlier)")
    assert titles(shared, "sums") == set()


def test_mutants_with_too_large_answers_are_not_run(
    small: PreparedClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert titles(small, "center")
    monkeypatch.setattr(mutant_bank, "MOST_MB", 0)
    assert titles(small, "center") == set()


@pytest.mark.slow
def test_mutants_with_large_answers_run_in_several_jobs(
    small: PreparedClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(prepared: PreparedClass) -> list[tuple[object, ...]]:
        """What each mutant gives for each probe."""
        return [
            (known.said, [(p.id, p.claim and p.claim.value) for p in known.evidence.run.probes])
            for known in mutant_bank.mutant_bank(prepared, "center")
        ]

    together, (apart, runner) = answers(small), watching(small)
    exercise = small.context.loaded.spec.exercise[0]
    monkeypatch.setattr(mutant_bank, "JOB_MB", 9 * mutant_bank._answers_mb(small, exercise))
    assert answers(apart) == together
    assert len(runner.jobs) > 1


def test_a_name_that_a_mutant_lacks_is_not_taken_from_another_one(
    warm_box: LazyBox, tmp_path: Path
) -> None:
    code = "start = 2\nif start > 1:\n    total = start * 3"
    found = titles(tiny(warm_box, tmp_path, code), "sums")
    assert "as if a factor were left out" in found
    assert "as if a condition never held" not in found
