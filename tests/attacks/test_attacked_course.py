"""An assignment of nbgrader, and attacks on its tests.

Each test is the one that an attack of ``test_pristine`` gets a wrong answer past where nothing
guards it, and each hand-in is a wrong answer with one of these attacks.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.cli import main
from tests.attacks.attack import read_attacks
from tests.attacks.run import run_levels
from tests.support import nbgrader_cells as nb
from tests.support.library_attacks import CELLS, IMPORTS
from tests.support.progress import QUIET

RIGHT, WRONG = "x = 7", "x = 8"
HEADER = "# %% {}\n# title: {}\n# onto: template\n# place: first\n# expect: no points\n\n"


def attacked_course(folder: Path) -> tuple[Path, Path]:
    """The notebook and the folder of attacks, written."""
    asked = [nb.tests(test, f"test-{n}") for n, (_, test) in enumerate(CELLS.values())]
    answer = nb.answer(f"### BEGIN SOLUTION\n{RIGHT}\n### END SOLUTION", "x")
    notebook = nb.written(folder / "attacked.ipynb", nb.readonly(IMPORTS), answer, *asked)
    attacks = folder / "attacks"
    attacks.mkdir()
    cells = []
    for name, (attack, _) in CELLS.items():
        title = f"{name[0].upper()}{name[1:]} is changed before tests of another tool"
        header = HEADER.format(re.sub("[^a-z]+", "_", name), title)
        cells.append(f"{header}{WRONG}\n{attack}\n")
    (attacks / "forge.py").write_text("\n".join(cells), encoding="utf-8")
    return notebook, attacks


@pytest.mark.nightly
def test_no_attack_on_imported_tests_earns_points_in_the_box(
    tmp_path: Path,
) -> None:
    notebook, attacks = attacked_course(tmp_path)
    with pytest.raises(SystemExit):
        main(["import", "nbgrader", str(notebook), "--into", str(tmp_path)])
    course = load(tmp_path / "assignments" / "attacked")
    rounds = run_levels(course, read_attacks(attacks), "all", QUIET)
    assert rounds and all(one.held for one in rounds), rounds
    assert all(len(one.results) == len(CELLS) for one in rounds)
    assert all(result.contained for one in rounds for result in one.results)
