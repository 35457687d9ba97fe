"""Changes of libraries that let wrong answers pass tests written for another tool."""

from __future__ import annotations

from tests.support.cases import CASES
from tests.support.tables import read_table

_TABLE = read_table(CASES / "library_attacks.yaml")
IMPORTS, EQUAL = _TABLE["imports"], "assert x == 7"
# what a cell does, and the test that a wrong answer passes then
CELLS = {name: (row["attack"], row["test"]) for name, row in _TABLE["cells"].items()}
