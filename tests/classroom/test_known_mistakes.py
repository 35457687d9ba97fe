"""The instructor's own code: a syntax error is named with its line before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.classroom.known_mistakes import read_solution
from autograder.errors import SpecError
from autograder.notebook.template.variant import read_variant

TOML = """format = 1
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
SOLUTION = """# %%
%matplotlib inline
x = 1

# %% exercise="sums"
# BEGIN SOLUTION
{}
# END SOLUTION
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("total = = 1", "line 7: invalid syntax: `total = = 1`; correct this line"),
        ("total = (1,", "line 7: '(' was never closed: `total = (1,`"),
        ("\n  total = 1", "line 8: unexpected indent: `total = 1`"),
        ("print 'x'", "line 7: Missing parentheses in call to 'print'"),
    ],
)
def test_a_syntax_error_of_the_instructors_is_named_with_its_line(
    tmp_path: Path, code: str, said: str
) -> None:
    (tmp_path / "assignment.toml").write_text(TOML)
    (tmp_path / "solution.py").write_text(SOLUTION.format("total = 1"))
    assert len(read_solution(load(tmp_path)).cells) == 2
    (tmp_path / "solution.py").write_text(SOLUTION.format(code))
    with pytest.raises(SpecError) as refused:
        read_solution(load(tmp_path))
    (problem,) = refused.value.problems
    assert problem.startswith(f"{tmp_path / 'solution.py'}, {said}")
    (tmp_path / "mistake.py").write_text(f"# sums: a title\n# What is wrong.\n\n\n{code}\n")
    reason = said.partition(": ")[2].partition(": `")[0]
    told = rf"mistake\.py, line [56]: not valid Python \(.*{re.escape(reason[:9])}"
    with pytest.raises(SpecError, match=told):
        read_variant(tmp_path / "mistake.py")


def test_inputs_and_checks_too(tmp_path: Path) -> None:
    (tmp_path / "assignment.toml").write_text(TOML)
    (tmp_path / "inputs.py").write_text("import math\n\ndef made(rng:\n    return []\n")
    (tmp_path / "checks.py").write_text("def agrees(seen):\nreturn\n")
    with pytest.raises(SpecError) as refused:
        load(tmp_path)
    inputs, checks = refused.value.problems
    assert inputs.startswith(f"{tmp_path / 'inputs.py'}, line 3: '(' was never closed: `def made")
    assert checks.startswith(f"{tmp_path / 'checks.py'}, line 2: expected an indented block")
