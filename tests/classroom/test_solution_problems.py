"""A solution that fails: each cause once, by the line of its file, with the checks it spoils."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.classroom.solution_problems import SolutionFile
from autograder.errors import SpecError
from autograder.notebook.formats.read import read
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import prepare_course
from tests.support.in_process import Lent

HEAD = 'format = 1\nid = "tiny"\ntitle = "Tiny"\n[limits]\ncell_cpu_s = 0.5\n'
EXERCISE = '[[exercise]]\nid = "{0}"\ntitle = "{0}"\ndefines = ["{0}"]\n'
CHECK = '[[exercise.check]]\nid = "{}"\nkind = "{}"\ntitle = "a"\npoints = 1\n{}\n'
CALL = 'call = "double"\ninputs = "{}"'
TOML = "".join(
    [
        HEAD,
        EXERCISE.format("total"),
        CHECK.format("is-right", "value", 'name = "total"'),
        EXERCISE.format("double"),
        *(CHECK.format(f"calls-{n}", "function", CALL.format("numbers")) for n in range(6)),
        CHECK.format("texts", "function", CALL.format("texts")),
        CHECK.format("refuses", "raises", CALL.format("numbers") + '\nerror = ["ValueError"]'),
        EXERCISE.format("later"),
        CHECK.format("is-right", "value", 'name = "later"'),
    ]
)
INPUTS = "def numbers(rng):\n    return [(1,)]\n\n\ndef texts(rng):\n    return [('a',)]\n"
SOLUTION = """# %%
import math

# %% [markdown]
# total = 1 / 0

# %%
def helper(x):
    if isinstance(x, str):
        raise KeyError(x)
    return x.nothing


1 / 0  # nothing depends on it

# %% exercise="total"
total = 1 / 0

# %% exercise="double"
def double(x):
    return helper(x)

# %% exercise="later"
while True:
    pass
later = 3
"""


def test_each_cause_is_reported_once_with_the_line_of_the_file(
    tmp_path: Path, lent_box: Lent
) -> None:
    for name, text in (("assignment.toml", TOML), ("inputs.py", INPUTS), ("solution.py", SOLUTION)):
        (tmp_path / name).write_text(text)
    box = LazyBox(lambda: lent_box, require="weak")  # type: ignore[arg-type, return-value]
    with pytest.raises(SpecError) as refused:
        prepare_course(load(tmp_path), box, tmp_path / "evidence")
    place = f"{tmp_path / 'solution.py'}"
    numbers = ", ".join(f"double/calls-{n}" for n in range(4))
    assert refused.value.problems[:3] == (
        f"{place}, line 17: ZeroDivisionError: division by zero: `total = 1 / 0`; correct this "
        "line (no result for total/is-right)",
        f"{place}, line 11: AttributeError: 'int' object has no attribute 'nothing': `return "
        f"x.nothing`; correct this line (no result for {numbers} and 2 more)",
        f"{place}, line 10: KeyError: 'a': `raise KeyError(x)`; correct this line (no result for "
        "double/texts)",
    )
    refuses, stopped = refused.value.problems[3:]
    assert refuses.startswith(f"{place}: the solution does not pass double/refuses: ")
    assert stopped.startswith(f"{place}, line 24: the cell was stopped: ")
    assert stopped.endswith("(no result for later/is-right)")


def test_a_cell_that_the_file_holds_in_another_form_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text("# %%\n# %time x = 1\n\n# %%\ny = 2\n\n# %%\ny = 2\n")
    file = SolutionFile(path, read(path))
    assert file.place(1, 1) == f"{path}, cell 1, line 1"
    assert [file.place(number, 1) for number in (2, 3)] == [f"{path}, line 5", f"{path}, line 8"]
