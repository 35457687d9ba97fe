"""A course's own modules: imported from their text, whatever of ours has moved since they were
written."""

from __future__ import annotations

import pytest

from autograder.assignment import course_code
from autograder.assignment.course_code import functions_of

BEFORE = """
import autograder.checks.tables as tables
from autograder.checks.arrays import Bounds
from autograder.checks.relation import CallSeen, Held as Value, Seen, Wrong
from autograder.checks import compare
from autograder.spec import arguments
from autograder.spec.arguments import made
from autograder.verdict import Mismatch
from autograder.wire.values import Array, Made


def names(seen: Seen) -> list[str]:
    every = (tables.find_table, Bounds, CallSeen, Value, Seen, Wrong, made, Mismatch, Array, Made)
    found = [f"{one.__module__}.{one.__name__}" for one in every]
    return [*found, compare.__name__, arguments.__name__]


def _own(): ...
"""


def test_what_was_written_for_the_release_before_is_imported() -> None:
    assert functions_of(BEFORE.encode(), "checks.py")["names"](None) == [
        "autograder.judging.checks.tables.find_table",
        "autograder.judging.checks.arrays.Bounds",
        "autograder.judging.checks.relation.CallView",
        "autograder.judging.checks.decoded_value.DecodedValue",
        "autograder.judging.checks.relation.RelationView",
        "autograder.judging.checks.decoded_value.Wrong",
        "autograder.assignment.arguments.made",
        "autograder.judging.verdict.Mismatch",
        "autograder.wire.values.Array",
        "autograder.wire.values.ConstructedObject",
        "autograder.judging.checks.compare",
        "autograder.assignment.arguments",
    ]
    for module in course_code._MOVED:
        assert module in BEFORE


def test_only_public_functions_of_the_module_itself_count() -> None:
    source = (
        b"from math import sqrt\nfrom textwrap import dedent\ndef a(): ...\ndef _b(): ...\nc = 1\n"
    )
    assert set(functions_of(source, "inputs.py")) == {"a"}


def test_where_an_error_is_told_with_its_file_and_line() -> None:
    with pytest.raises(ZeroDivisionError) as failed:
        functions_of(b"x = 1\ny = x / 0\n", "folder/inputs.py")
    last = failed.traceback[-1]
    assert str(last.path) == "folder/inputs.py" or last.path.name == "inputs.py"
    assert last.lineno + 1 == 2
    with pytest.raises(SyntaxError, match=r"inputs.py, line 1"):
        functions_of(b"def f(:\n", "inputs.py")
