"""The mutants of an exercise run in one job, each as if it had been alone, or explain nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest

from autograder.classroom.mutant_bank import MutantBank, _Candidate, mutant_bank
from autograder.errors import NotStoredError, SandboxError
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.grading.context import PreparedClass
from autograder.notebook.template.variant import Variant
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Job
from tests.support.courses import prepare_course, write_course

TOML = """
format = 1
id = "grows"
title = "What grows"

[[exercise]]
id = "total"
title = "All numbers"
defines = ["total"]

[[exercise.check]]
id = "sums"
kind = "function"
title = "total adds up"
points = 1
call = "total"
inputs = "several"

[[exercise]]
id = "grown"
title = "Numbers that grow"
defines = ["grown"]

[[exercise.check]]
id = "grows"
kind = "function"
title = "grown multiplies"
points = 1
call = "grown"
inputs = "several"
"""
SOLUTION = """# %% locked=true
kept = []

# %% exercise="total"
def total(numbers):
    # BEGIN SOLUTION
    return sum(numbers[1:]) + 1
    # END SOLUTION

# %% exercise="grown"
# BEGIN SOLUTION
kept.append(2)
# END SOLUTION
def grown(numbers):
    # BEGIN SOLUTION
    return [number + sum(kept) for number in numbers[1:]]
    # END SOLUTION
"""
FILES = {
    "assignments/grows/assignment.toml": TOML,
    "assignments/grows/inputs.py": "def several(rng):\n    return [([3, 5, 9],), ([4, 8],)]\n",
    "solutions/grows/solution.py": SOLUTION,
}


class Waiting:
    """Runs a job once a second one has come, or it is clear that none does."""

    def __init__(self, run: Callable[[Job], Run]) -> None:
        self.jobs = 0
        self._run, self._second = run, Barrier(2)

    def run(self, job: Job) -> Run:
        self.jobs += 1
        with suppress(BrokenBarrierError):
            self._second.wait(0.5)
        return self._run(job)

    def accepts(self, level: str) -> bool:
        return True


@pytest.fixture(scope="module")
def course(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    root = tmp_path_factory.mktemp("grows")
    return prepare_course(write_course(root / "course", FILES), warm_box, root / "evidence")


def with_runner(course: PreparedClass, runner: object, folder: Path) -> PreparedClass:
    context = replace(course.context, runner=runner, store=EvidenceFolder(folder))  # type: ignore[arg-type]
    return replace(course, context=context)


def test_an_exercise_has_mutants_with_their_own_results(course: PreparedClass) -> None:
    bank = mutant_bank(course, "total")
    assert len(bank) > 2
    values = {
        tuple(str(record.claim.value) for record in mutant.evidence.run.probes if record.claim)
        for mutant in bank
    }
    assert len(values) > 2
    for mutant in bank:
        assert mutant.said.tell.startswith("Your results are exactly what the right solution")
        assert any("/small/" in record.id for record in mutant.evidence.run.probes)


def test_cells_that_depend_on_each_other_explain_nothing(course: PreparedClass) -> None:
    """Every mutant's cell appends a number to one list."""
    assert mutant_bank(course, "grown") == ()


def test_several_threads_share_one_job(course: PreparedClass, tmp_path: Path) -> None:
    runner = Waiting(course.context.runner.run)
    bank = MutantBank(with_runner(course, runner, tmp_path))
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(bank.of, ["total", "total"])
    assert first is second and len(first) > 2
    assert runner.jobs == 1
    assert bank.lost == frozenset()


@pytest.mark.parametrize("fault", [SandboxError("lost"), NotStoredError("never run")])
def test_mutants_that_cannot_be_run_end_no_batch(
    course: PreparedClass, tmp_path: Path, fault: Exception
) -> None:
    class Broken(Waiting):
        def run(self, job: Job) -> Run:
            raise fault

    bank = MutantBank(with_runner(course, Broken(course.context.runner.run), tmp_path))
    assert bank.of("total") == () and bank.lost == {"total"}


def test_a_mutant_has_no_name_of_another_and_must_have_all_its_own() -> None:
    def source(code: str) -> str:
        return _Candidate(Variant("m", "total", "", "", code), 1, ("f", "g")).source

    names: dict[str, object] = {}
    exec(source("f = 1\ng = 2"), names)
    with pytest.raises(NameError, match="'g'"):
        exec(source("f = 3"), names)
    assert names["f"] == 3
    names["f"] = names["g"] = 4
    with pytest.raises(NameError, match="'f'"):
        exec(source("g = f"), names)
