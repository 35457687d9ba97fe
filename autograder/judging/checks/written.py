"""The check that there is a written answer, in a name or a Markdown cell; it is graded by hand."""

from __future__ import annotations

import re

from autograder.assignment.kinds import WrittenCheck
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import returned
from autograder.judging.checks.explain import describe
from autograder.judging.checks.finding import Cases, Finding, Trial
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import GivenText, Probe
from autograder.wire.values import Items, Value

MAX_TEXT = 100_000  # characters in which a word must appear
_PLACEHOLDERS = frozenset(
    {
        "answer",
        "answer here",
        "fill in",
        "n a",
        "none",
        "tbd",
        "todo",
        "type your answer here",
        "write your answer here",
        "your answer",
        "your answer here",
        "your text here",
        "xxx",
    }
)


def probes(check: WrittenCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """Ask for the name, or for the text that is filled in where the submission is available."""
    return (_probe(check, exercise),)


def _probe(check: WrittenCheck, exercise: str) -> Probe:
    if check.in_markdown:
        return Probe(f"{exercise}/text", exercise, GivenText(None))
    return ask.read(exercise, check.name)


def examine(check: WrittenCheck, trial: Trial) -> Finding:
    """MANUAL if there is text to grade, MISSING if there is none."""
    claim = returned(trial.actual, _probe(check, trial.exercise))
    if isinstance(claim, Finding):
        return claim
    text = _text(claim.value)
    if text is None and claim.value is not None:
        said = describe(claim.value)
        mismatch = Mismatch(check.name, "type", "text", said)
        return Finding(Status.FAILED, (mismatch,), f"`{check.name}` is {said}; write text.")
    if _empty((text or "")[:MAX_TEXT]):
        where = "The text cell" if check.in_markdown else f"`{check.name}`"
        return Finding(Status.BLANK, message=f"{where} has no answer yet.")
    return Finding(Status.MANUAL, message="Waiting to be graded by hand.")


def _text(value: Value) -> str | None:
    """A text, or the texts of a list one after the other."""
    if isinstance(value, Items):
        parts = [_text(item) for item in value.items]
        return "\n".join(part or "" for part in parts) if None not in parts else None
    return value if isinstance(value, str) else None


def _empty(text: str) -> bool:
    bare = " ".join(re.sub(r"[\W_]+", " ", text).casefold().split())
    return bare == "" or bare in _PLACEHOLDERS
