"""Whether what students read can be true: contradictions in a message, found by its form alone.

Covered: two sides that are the same as printed, a sentence that is said twice, a shape that
is both missing and present, numbers and verbs that do not agree, back-quotes that do not close, a
sentence without its beginning.
Not covered: what a message says of the student's code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograder.judging.checks.explain import SENTENCE, SHORT_SENTENCE, sentence
from autograder.judging.verdict import Verdict

_SIDES = re.compile(
    r"(?:expected (\S+), got|should be (\S+), not|is (\S+), expected) (\S+?)[.;)]*(?=\s|$)"
)
_SHAPES = re.compile(r"shape (\[[\d, ]*\])[^.]*has: ([^.)]*)")
_COUNTED = re.compile(
    r"(?:^|[.;:,] |\ball )(\d+)(?: of \d+)? [a-z]+ (differs?|is|are|was|were|has|have)\b"
)
_CODE = re.compile(r"`[^`]*`")
_HEADLESS = re.compile(r"[.:]  (?=[a-z])")
_SINGULAR = frozenset({"differs", "is", "was", "has"})


def untrue(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    """Checks whose message contradicts itself, with what is wrong."""
    for verdict in verdicts:
        found = list(contradictions(verdict.message))
        for mismatch in verdict.mismatches:
            if mismatch.expected and mismatch.expected == mismatch.actual:
                found.append(f"expected and actual are both {mismatch.expected!r}")
            found += contradictions(sentence(mismatch))
        yield from ((f"{verdict.exercise}/{verdict.check}", text) for text in dict.fromkeys(found))


def contradictions(text: str) -> tuple[str, ...]:
    """What is wrong with a message; empty for one that can be true."""
    return tuple(_contradictions(text))


def _contradictions(text: str) -> Iterator[str]:
    for *expected, actual in _SIDES.findall(text):
        if actual in expected:
            yield f"both sides are {actual}: {text}"
    for shape, shapes in _SHAPES.findall(text):
        if shape in shapes:
            yield f"the shape {shape} is both missing and present: {text}"
    for count, verb in _COUNTED.findall(text):
        if (count == "1") != (verb in _SINGULAR):
            yield f"{count} and '{verb}' do not agree: {text}"
    sentences = [one for one in map(str.strip, SENTENCE.findall(text)) if len(one) > SHORT_SENTENCE]
    if len(set(sentences)) < len(sentences):
        yield f"a sentence is said twice: {text}"
    if text.count("`") % 2:
        yield f"a back-quote is not closed: {text}"
    if _HEADLESS.search(_CODE.sub("x", text)):
        yield f"a sentence has no beginning: {text}"
