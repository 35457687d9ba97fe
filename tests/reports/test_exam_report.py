"""The table of an exam: what was explained, how large small calls are, and why there are none."""

from __future__ import annotations

import re

from rich.console import Console

from autograder.reports.validation.exam import ExamAnswer, ExamTable, exam_view


def shown(*answers: ExamAnswer) -> str:
    console = Console(width=80)
    with console.capture() as text:
        console.print(exam_view(ExamTable("sample", answers)))
    return text.get()


def test_small_calls_are_counted_and_their_absence_has_reasons() -> None:
    reason = "figure: it makes no calls of its own"
    text = shown(
        ExamAnswer("two faults", "a", "ex", "mutant", "as if", (12, 3)),
        ExamAnswer("two faults", "b", "ex", "mutant", "as if", (4, 13), large=("pipeline: why",)),
        ExamAnswer("two faults", "c", "ex", "nothing", without=(reason,)),
        ExamAnswer("two faults", "d", "ex", "message", without=(reason, "module: else")),
    )
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"(?m)^1  two faults$", text)
    for what, count in (
        ("wrong answers", "4"),
        ("as if ...", "2"),
        ("with a small call", "2"),
        ("of up to 12 numbers", "1"),
        ("explained falsely", "·"),
    ):
        assert re.search(rf"(?m)^ *{re.escape(what)} +{count} +{count} *$", text), what
    assert f"without a small call in 2: {reason}" in text
    assert "without a small call in 1: module: else" in text
    assert "more than 12 numbers in 1: pipeline: why" in text
    assert "3 of 4 wrong answers are explained (75%), 0 of them falsely" in text
    assert "ex, c: not explained" in text
