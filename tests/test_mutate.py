"""The list of guards is kept up to date: each has its mark and can go, each test exists."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.support.conformance.backends import COMBINATIONS
from tests.support.mutate import ROOT, Guard, guarded_lines, guards, marked, place_of, without

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


def test_every_guard_has_its_mark_and_every_mark_its_guard() -> None:
    assert set(guarded_lines(ROOT)) == {guard.name for guard in GUARDS if not guard.file}


def test_every_guard_can_be_taken_away() -> None:
    marks = guarded_lines(ROOT)
    for guard in GUARDS:
        path, text, line = place_of(guard, ROOT, marks)
        gone = without(text, line, guard)
        assert gone != text, guard.name
        if path.suffix == ".py":
            ast.parse(gone)


TEXT = """\
def f(x):
    # guard: one
    # guard: "two", at the end
    if x and (
        x > 1
    ):  # kept
        raise ValueError
    é = "# no mark"; g(x)  # guard: three
    y = [
        # guard: four
        1,
    ]
    return x
"""


def test_a_mark_is_for_its_line_alone() -> None:
    text, places = marked(TEXT)
    assert places == {"one": 2, '"two", at the end': 2, "three": 6, "four": 8}
    assert "guard" not in text and ast.dump(ast.parse(text)) == ast.dump(ast.parse(TEXT))

    def lines(name: str, **how: str) -> list[str]:
        before = text.split("\n")
        after = without(text, places[name], Guard(name=name, tests=(), **how)).split("\n")
        return [line for line in after if line not in before]

    assert lines("one") == ["    if False:  # kept"]
    assert lines("three") == ["    pass; g(x)"]
    assert lines("three", old="g(x)") == ['    é = "# no mark"; ']
    assert lines("four", old="        1,\n", new="        2,\n") == ["        2,"]
    for how in ({}, {"old": "return x"}):
        with pytest.raises(ValueError, match=r"line 8|no statement"):
            lines("four", **how)


def test_the_tests_of_a_guard_exist() -> None:
    tests = {test for guard in GUARDS if guard.seen() for test in guard.tests}
    files = {test.partition("::")[0] for test in tests if not test.startswith("box:")}
    defined = {file: names(file) for file in files}
    assert [guard.name for guard in GUARDS if not guard.tests] == []
    assert [test for test in sorted(tests) if not exists(test, defined)] == []


def test_no_two_guards_have_one_name() -> None:
    listed = [guard.name for guard in GUARDS]
    assert len(listed) == len(set(listed)) >= 100
