"""A course's own modules: imported from their text."""

from __future__ import annotations

import pytest

from autograder.assignment.course_code import functions_of


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
