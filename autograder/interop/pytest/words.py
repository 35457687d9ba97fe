"""What a failure says: the message, how the values differ, the hint, the known mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograder.gradebook.grade import CheckGrade, as_points
from autograder.gradebook.visible import visible
from autograder.judging.checks.explain import sentence
from autograder.reports.feedback.feedback import DIFFERENCES_SHOWN, ExerciseFeedback, PublicCheck
from autograder.reports.feedback.words import STUDENT_WORDS


def text_of(check: CheckGrade, public: PublicCheck | None) -> str:
    """One check's failure; ``public`` is what students see of it, None for a hidden one."""
    return "\n".join(_lines(check, public))


def hidden_text(told: ExerciseFeedback) -> str:
    """The hidden checks of an exercise that did not pass, in fixed words, with their hints."""
    hidden = told.hidden
    if hidden is None:
        return ""
    lines = [f"{hidden.passed} of {hidden.total} hidden checks passed", *hidden.problems]
    lines += [f"Hint: {hint}" for hint in hidden.hints]
    return "\n".join([*lines, *_causes(told.causes)])


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
    if check.diagnosis:
        yield from _causes([check.diagnosis])
    elif check.hint:
        yield f"Hint: {visible(check.hint)}"
    if check.smallest:
        yield from map(visible, check.smallest.lines)


def _causes(causes: Iterable[str]) -> Iterator[str]:
    yield from (f"Known mistake: {visible(cause)}" for cause in causes)
