"""Changes of libraries that let wrong answers pass tests written for another tool."""

from __future__ import annotations

import yaml

from tests.support.cases import CASES

_TABLE = yaml.safe_load((CASES / "library_attacks.yaml").read_text("utf-8"))
IMPORTS, EQUAL = _TABLE["imports"], "assert x == 7"
# what a cell does, and the test that a wrong answer passes then
CELLS = {name: (row["attack"], row["test"]) for name, row in _TABLE["cells"].items()}
