"""When two results of a check, on two processors, are the same to their readers."""

from __future__ import annotations

import pytest

from docs.tools.outcomes import CheckOutcome


@pytest.mark.parametrize(
    ("one", "other", "agrees"),
    [
        ("the largest is 2.03, got -0.0875483.", "the largest is 2.03, got -0.0875484.", True),
        ("617206 of 640000 differ", "617207 of 640000 differ", True),
        ("4 of 5 differ", "5 of 5 differ", False),
        ("row 3 differs", "column 3 differs", False),
        ("", "", True),
    ],
)
def test_numbers_of_a_message_may_be_rounded_otherwise(one: str, other: str, agrees: bool) -> None:
    first, second = (CheckOutcome("failed", 0, text, ()) for text in (one, other))
    assert first.agrees(second) is agrees
    assert not first.agrees(second._replace(status="raised"))
    assert not first.agrees(second._replace(causes=("a",)))
    assert not first.agrees(second._replace(earned=1))
