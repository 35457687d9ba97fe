"""An assignment of nbgrader, and attacks on its tests, for `autograder redteam`:

    python -m tests.tools.test_attacked_course FOLDER
    autograder import nbgrader FOLDER/attacked.ipynb --into FOLDER
    autograder redteam FOLDER/assignments/attacked --attacks FOLDER/attacks

Each test is the one that an attack of ``test_pristine`` gets a wrong answer past where nothing
guards it, and each hand-in is a wrong answer with one of these attacks.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from autograder.cli import main
from tests.support import nbgrader_cells as nb
from tests.support.library_attacks import CELLS, IMPORTS

RIGHT, WRONG = "x = 7", "x = 8"
HEADER = "# title: {}\n# onto: template\n# place: first\n# expect: no points\n\n"


def attacked_course(folder: Path) -> tuple[Path, Path]:
    """The notebook and the folder of attacks, written."""
    asked = [nb.tests(test, f"test-{n}") for n, (_, test) in enumerate(CELLS.values())]
    answer = nb.answer(f"### BEGIN SOLUTION\n{RIGHT}\n### END SOLUTION", "x")
    notebook = nb.written(folder / "attacked.ipynb", nb.readonly(IMPORTS), answer, *asked)
    attacks = folder / "attacks"
    for name, (attack, _) in CELLS.items():
        path = attacks / "forge" / f"{re.sub('[^a-z]+', '_', name)}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        title = f"{name[0].upper()}{name[1:]} is changed before tests of another tool"
        path.write_text(f"{HEADER.format(title)}{WRONG}\n{attack}\n", encoding="utf-8")
    return notebook, attacks


@pytest.mark.nightly
def test_no_attack_on_imported_tests_earns_points_in_the_box(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook, attacks = attacked_course(tmp_path)
    with pytest.raises(SystemExit):
        main(["import", "nbgrader", str(notebook), "--into", str(tmp_path)])
    capsys.readouterr()
    course = tmp_path / "assignments" / "attacked"
    with pytest.raises(SystemExit) as ended:
        main(["redteam", str(course), "--attacks", str(attacks), "--json"])
    rounds = json.loads(capsys.readouterr().out)["levels"]
    assert rounds and ended.value.code in (0, None), rounds
    assert all(one["contained"] == len(CELLS) for one in rounds)


if __name__ == "__main__":
    attacked_course(Path(sys.argv[1]))
