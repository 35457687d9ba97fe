"""Known mistakes under many seeds: the seeds under which one has full marks are told exactly."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import torch
from rich.console import Console

from autograder.assignment.load import load, make_cases
from autograder.authoring.validation.seeds import try_seeds
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.execution.engines.local import Local
from autograder.grading.context import notebook_seed
from autograder.reports.validation.processors import table_json
from autograder.reports.validation.seeds import SeedTable, seeds_view
from autograder.wire.tensors import to_tensor
from autograder.wire.values import Array
from tests.support.courses import SMALL, write_course
from tests.support.in_process import Lent, command
from tests.support.progress import QUIET

FIRST, SEEDS = 3, 12
SPEC, SOLUTION = "assignments/small/assignment.toml", "solutions/small/solution.py"
# right but for tables that begin with a large number
BY_CHANCE = """# center: by columns, now and then
# Take away the mean of each row.
def center(table):
    rows = not 2.5 < table[0, 0] < 1e6
    return table - table.mean(dim=int(rows), keepdim=True)
"""
# an exercise of which the notebook's own seed decides
DRAWN = """
[[exercise]]
id = "drawn"
title = "Eight numbers"
defines = ["drawn"]

[[exercise.check]]
id = "numbers"
kind = "value"
title = "the numbers as they were drawn"
points = 1
name = "drawn"
"""
DRAW = """
# %% exercise="drawn"
# BEGIN SOLUTION
drawn = torch.rand(8)
# END SOLUTION
"""
CLAMPED = """# drawn: large numbers are cut
# Keep the numbers as they are.
drawn = torch.rand(8).clamp(max=0.9)
"""
FILES = SMALL | {
    SPEC: SMALL[SPEC] + DRAWN,
    SOLUTION: SMALL[SOLUTION] + DRAW,
    "solutions/small/mistakes/by_chance.py": BY_CHANCE,
    "solutions/small/mistakes/clamped.py": CLAMPED,
}


def tried(folder: Path) -> SeedTable:
    return try_seeds(folder, TrialEngine(Local(2), QUIET), require="weak", seed=FIRST, seeds=SEEDS)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_course(tmp_path_factory.mktemp("seeds"), FILES).folder


@pytest.fixture(scope="module")
def table(small: Path, lent_box: Lent) -> SeedTable:
    return tried(small)


def shows(folder: Path, seed: int) -> bool:
    """Whether one of the tables of a seed begins with a large number."""
    for (argument,) in make_cases(load(folder), seed)["tables"]:
        assert isinstance(argument, Array)
        if to_tensor(argument)[0, 0] > 2.5:
            return True
    return False


def test_each_seed_has_its_own_inputs_and_its_own_reference(small: Path, table: SeedTable) -> None:
    """What was asked of one process comes out as one by one."""
    seeds = range(FIRST, FIRST + SEEDS)
    lucky = {seed for seed in seeds if not shows(small, seed)}
    one = next(mistake for mistake in table.mistakes if mistake.name == "by_chance")
    assert 0 < len(lucky) < SEEDS and {*one.earns} == lucky
    assert one.checks == {"tables": SEEDS - len(lucky)} and one.unclear == {}


def test_where_names_are_read_each_seed_has_a_notebook_of_its_own(table: SeedTable) -> None:
    lucky = {
        seed
        for seed in range(FIRST, FIRST + SEEDS)
        if torch.rand(8, generator=torch.Generator().manual_seed(notebook_seed(seed))).max() <= 0.9
    }
    one = next(mistake for mistake in table.mistakes if mistake.name == "clamped")
    assert 0 < len(lucky) < SEEDS and {*one.earns} == lucky


def test_a_mistake_that_always_loses_is_in_order(table: SeedTable) -> None:
    always = {mistake.name for mistake in table.mistakes if mistake.loses == mistake.seeds == SEEDS}
    assert always == {"columns", "overflow", "no_square", "no_steps"} and not table.valid


def test_the_table_names_the_seeds(table: SeedTable) -> None:
    console = Console(record=True, width=120, file=io.StringIO())
    console.print(seeds_view(table))
    said = console.export_text()
    one = next(mistake for mistake in table.mistakes if mistake.name == "by_chance")
    assert f"by_chance has full marks under seed {one.earns[0]}" in said
    assert f"4 of 6 known mistakes lose under each of {SEEDS} seeds" in said
    assert json.loads(table_json(table))["seeds"] == SEEDS


@pytest.mark.slow
@pytest.mark.usefixtures("lent_box")
def test_a_mistake_that_could_not_be_run_is_not_in_order(tmp_path: Path) -> None:
    """A reference that fails says nothing of the mistakes."""
    broken = SMALL[SOLUTION].replace("return numbers", "return numbers if seed % 2 else 1 / 0")
    course = write_course(tmp_path, SMALL | {SOLUTION: broken})
    found = tried(course.folder)
    one = next(mistake for mistake in found.mistakes if mistake.name == "no_steps")
    assert not found.valid and one.unclear and not one.earns


@pytest.mark.usefixtures("lent_box")
@pytest.mark.parametrize(
    ("name", "status"), [("by_chance", 1), pytest.param("columns", 0, marks=pytest.mark.slow)]
)
def test_the_command_ends_with_status_1_where_a_mistake_earns(
    name: str, status: int, tmp_path: Path
) -> None:
    mistakes = "solutions/small/mistakes"
    kept = {path: text for path, text in FILES.items() if mistakes not in path}
    path = f"{mistakes}/{name}.py"
    course = write_course(tmp_path, kept | {path: FILES[path]})
    options = ("--seeds", 6, "--seed", FIRST, "--require", "weak")
    assert command("validate", course.folder, *options).code == status
