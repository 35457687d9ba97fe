"""What a failure says: the message, how the values differ, what explains it, the hint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.gradebook.grade import CheckGrade, as_points
from autograder.gradebook.visible import visible
from autograder.judging.checks.explain import sentence
from autograder.reports.feedback.feedback import (
    DIFFERENCES_SHOWN,
    SMALL_CALL,
    HiddenChecks,
    PublicCheck,
    helps,
)
from autograder.reports.feedback.words import STUDENT_WORDS


def text_of(check: CheckGrade, public: PublicCheck | None) -> str:
    """One check's failure; ``public`` is what students see of it, None for a hidden one."""
    return "\n".join(_lines(check, public))


def hidden_text(hidden: HiddenChecks, checks: Sequence[CheckGrade]) -> str:
    """The hidden checks of an exercise in fixed words, with what explains them and their hints."""
    lines = [f"{hidden.passed} of {hidden.total} hidden checks passed", *hidden.problems]
    lines += dict.fromkeys(line for check in checks for line in _explanation(check))
    return "\n".join([*lines, *(f"Hint: {hint}" for hint in hidden.hints)])


def _lines(check: CheckGrade, public: PublicCheck | None) -> Iterator[str]:
    worth = as_points(check.max_score)
    yield f"{STUDENT_WORDS[check.status]} ({as_points(check.score or 0):g} of {worth:g} points)"
    if public is not None:
        message, differences = public.message, public.differences
    else:
        message = visible(check.message)
        found = tuple(dict.fromkeys(sentence(mismatch) for mismatch in check.mismatches))
        differences = tuple(one for one in found[:DIFFERENCES_SHOWN] if visible(one) not in message)
    yield from filter(None, (message, *map(visible, differences)))
    yield from _explanation(check)
    hint = public.hint if public is not None else visible(check.hint) if helps(check) else ""
    if hint:
        yield f"Hint: {hint}"


def _explanation(check: CheckGrade) -> Iterator[str]:
    if check.diagnosis:
        yield visible(check.diagnosis)
    if check.smallest:
        yield SMALL_CALL
        yield from map(visible, check.smallest.lines)
