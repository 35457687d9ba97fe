"""The kind of check that CONTRIBUTING.md adds as an example is added so, and used."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tables import table_beside

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```python\n# (autograder/[\w/]+\.py)([^\n]*)\n(.*?)```", re.DOTALL)
PLACES = {  # how each block is marked -> the text in front of which it goes
    ", above `Check`": "Check = Annotated[\n",
    ", in `Check`": ",\n    Field(discriminator=",
    ", in the imports": "    speed,\n",
    ", in `KINDS`": '        "raises": Kind(',
}
USE = table_beside(__file__)["use"]


@pytest.mark.slow
def test_the_example_of_the_documentation_is_a_kind_of_check(tmp_path: Path) -> None:
    package = tmp_path / "autograder"
    shutil.copytree(ROOT / "autograder", package, ignore=shutil.ignore_patterns("__pycache__"))
    blocks = BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert {place for _, place, _ in blocks} == {*PLACES, ""}
    for file, place, code in blocks:
        path = tmp_path / file
        if not place:
            path.write_text(code)
            continue
        before, mark, after = path.read_text().partition(PLACES[place])
        assert mark, (file, place)
        path.write_text(
            before + (f"\n{code[:-2]}" if place == ", in `Check`" else code) + mark + after
        )
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        "passed 2000 ",
        "passed 2000 ",
        "failed 0 `words` lacks 'b'.",
        "failed 0 `words` should not hold 'c'.",
        "failed 0 `words` is 7, not a collection.",
    ], done.stderr
