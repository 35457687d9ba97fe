"""The list of guards is kept up to date: each text stands where it is said to, each test exists."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.mutate import ROOT, guards
from tests.test_conformance import COMBINATIONS

GUARDS = guards()
COLLECTED = {combination.id for combination in COMBINATIONS}


def names(file: str) -> set[str]:
    """The tests that a file defines, and "" for the file itself."""
    tree = ast.parse((ROOT / file).read_text())
    return {"", *(node.name for node in tree.body if isinstance(node, ast.FunctionDef))}


def exists(test: str, defined: Mapping[str, Collection[str]]) -> bool:
    """Whether this test is there; ``defined`` holds what each file defines."""
    if test.startswith("box:"):
        return test.removeprefix("box:").replace("/", "-", 1) in COLLECTED
    file, _, function = test.partition("[")[0].partition("::")
    return function in defined[file]


def test_a_guard_stands_where_it_is_said_to() -> None:
    texts = {file: (ROOT / file).read_text() for file in {guard.file for guard in GUARDS}}
    lost = [g.name for g in GUARDS if texts[g.file].count(g.old) != 1 or g.new == g.old]
    assert lost == []


def test_the_tests_of_a_guard_exist() -> None:
    tests = {test for guard in GUARDS if guard.seen() for test in guard.tests}
    files = {test.partition("::")[0] for test in tests if not test.startswith("box:")}
    defined = {file: names(file) for file in files}
    assert [guard.name for guard in GUARDS if not guard.tests] == []
    assert [test for test in sorted(tests) if not exists(test, defined)] == []


def test_no_two_guards_have_one_name() -> None:
    listed = [guard.name for guard in GUARDS]
    assert len(listed) == len(set(listed)) >= 100
