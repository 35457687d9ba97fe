"""The list of guards is kept up to date: each text stands where it is said to, each test exists."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.conformance.behaviours import BEHAVIOURS
from tests.mutate import ROOT, Guard, guards
from tests.test_conformance import BACKENDS


def names(path: Path) -> set[str]:
    """The tests that a file defines."""
    return {n.name for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef)}


@pytest.mark.parametrize("guard", guards(), ids=lambda guard: guard.name)
def test_a_guard_stands_where_it_is_said_to(guard: Guard) -> None:
    assert (ROOT / guard.file).read_text().count(guard.old) == 1
    assert guard.new != guard.old and guard.tests


@pytest.mark.parametrize("guard", guards(), ids=lambda guard: guard.name)
def test_the_tests_of_a_guard_exist(guard: Guard) -> None:
    for test in guard.tests:
        if test.startswith("box:"):
            backend, _, behaviour = test.removeprefix("box:").partition("/")
            assert backend in BACKENDS and behaviour in {b.name for b in BEHAVIOURS}, test
        else:
            file, _, function = test.partition("[")[0].partition("::")
            found = names(ROOT / file)
            assert function in found if function else found, test


def test_no_two_guards_have_one_name() -> None:
    listed = [guard.name for guard in guards()]
    assert len(listed) == len(set(listed)) >= 100
