"""Counts how many known mistakes a student's feedback would name correctly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from autograder.authoring.validation.mistake_naming import OUTCOMES, WRONG
from autograder.authoring.validation.trials import TrialResult
from autograder.reports.validation.model import Problem


def told(tried: Sequence[TrialResult]) -> tuple[Mapping[str, int], tuple[Problem, ...]]:
    """Counts over all known mistakes, and a problem for each that was named as another one."""
    found = [(one, one.told) for one in tried if one.what.sort == "mistake" and one.told]
    counts = Counter(said for _, said in found)
    return {said: counts[said] for said in OUTCOMES}, tuple(_problems(found))


def _problems(found: Sequence[tuple[TrialResult, str]]) -> Iterator[Problem]:
    for one, said in found:
        if said == WRONG:
            others = ", ".join(name for name in one.row.diagnosed if name != one.what.name)
            text = f"feedback names another mistake instead ({others})"
            yield Problem("diagnosis", text, one.what.name)
