"""A tenth of the small assignments' golden outcomes, every snapshot, and how both are compared.

``python -m tests.golden`` compares all of them.
"""

from __future__ import annotations

import pytest

from autograder.sandbox.lazy import LazyBox
from tests.golden import snapshots
from tests.golden.outcomes import one_line, same
from tests.golden.tenth import assert_unchanged


@pytest.mark.parametrize("assignment", ["first-classifier", "numpy-first-steps", "tidy-tables"])
def test_a_tenth_of_the_outcomes(assignment: str, warm_box: LazyBox) -> None:
    assert_unchanged(assignment, warm_box)


def test_snapshots() -> None:
    made = dict(snapshots.made())
    assert made.keys() == set(snapshots.HERE.iterdir()), "make golden WRITE=1"
    for path, text in made.items():
        assert text == path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.123456 and 12345.6 of 3", "0.123 and 1.23e+04 of 3"),
        ("99.96, 1.0, 4", "100.0, 1.0, 4"),
        ("[-0.5, 3.14159]\n1", r"[-0.5, 3.14]\n1"),
        ("off by 3.21e-08, at most 1e-06", "off by ~0, at most 1e-06"),
        ("2.667/4 points, version 2.13.0, x1.2345", "2.667/4 points, version 2.13.0, x1.2345"),
    ],
)
def test_numbers_have_the_digits_that_processors_agree_on(text: str, shown: str) -> None:
    assert one_line(text) == shown


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("got 0.125, 9.99", "got 0.126, 10.0", True),
        ("got 0.125", "got 0.127", False),
        ("2.667/4", "2.67/4", False),
        ("3 of 4", "2 of 4", False),
        ("got 0.125", "got 0.125, 1", False),
    ],
)
def test_only_the_last_digit_may_differ(one: str, other: str, *, are: bool) -> None:
    assert same(one, other) == are
