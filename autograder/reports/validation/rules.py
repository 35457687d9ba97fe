"""The fixed words of a validation: what a broken rule means and asks for, what a mark says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, get_args

from autograder.gradebook.visible import one_line, visible
from autograder.reports.feedback.words import AT_FAULT
from autograder.reports.validation.model import (
    Generated,
    Rule,
    Sort,
    TrainingRates,
    Validation,
    Window,
)

SORTS: tuple[Sort, ...] = get_args(Sort)
FAULTS = frozenset(status.value for status in AT_FAULT)

# one variant, several
SORT_WORDS: Mapping[Sort, tuple[str, str]] = MappingProxyType(
    {
        "solution": ("solution", "solutions"),
        "template": ("template", "templates"),
        "trivial": ("trivial answer", "trivial answers"),
        "mistake": ("known mistake", "known mistakes"),
        "equivalent": ("equivalent", "equivalents"),
        "mutant": ("mutant", "mutants"),
    }
)
SHOULD: Mapping[Sort, str] = MappingProxyType(
    {
        "solution": "earns every point",
        "template": "earns nothing",
        "trivial": "earn nothing",
        "mistake": "are caught in their own exercise and told by name",
        "equivalent": "lose nothing",
        "mutant": "lose a point, or are explained",
    }
)

# what it means, what to do
RULES: Mapping[Rule, tuple[str, str]] = MappingProxyType(
    {
        "solution": (
            "The solution does not earn every point",
            "Mend the solution, or the check that it does not pass.",
        ),
        "template": (
            "The blank template earns points",
            "Ask for something that only a student's own work gives.",
        ),
        "trivial": (
            "A trivial answer earns points",
            "Choose inputs at which the trivial answer is wrong, or let the check depend on one "
            "that tells them apart.",
        ),
        "missed": (
            "A known mistake is not caught by its exercise",
            "Add inputs or a check that tell the mistake from a right answer, or tighten the "
            "tolerance.",
        ),
        "elsewhere": (
            "A known mistake is charged in another exercise",
            "Judge the other exercise with the student's own values or with the reference's "
            "parts, or declare the charge with the mistake.",
        ),
        "unfair": (
            "A right answer loses points",
            "Loosen the tolerance or accept this form of the answer.",
        ),
        "idle": (
            "A check is failed by nothing",
            "Add a known mistake that only this check catches, or drop the check.",
        ),
        "kill rate": (
            "Too few mutants are killed",
            "Look at the survivors: each one shows what no check asks for.",
        ),
        "survivor": (
            "A surviving mutant and its explanation do not go together",
            "Add a check that kills the mutant, or explain why it is as good as the solution; "
            "take away explanations that no survivor needs.",
        ),
        "tolerance": (
            "A tolerance lies outside its window",
            "Choose one between what right answers need and the nearest wrong answer; where "
            "there is no room between them, choose other inputs.",
        ),
        "diagnosis": (
            "A student would be told the wrong mistake, or none",
            "Give the mistake a trace of its own in the hidden calls, or join mistakes that "
            "cannot be told apart.",
        ),
        "training": (
            "A check on training rests on luck",
            "Ask for more seeds, for fewer or more of them to pass, or for more at first; or state "
            "the rates that were measured.",
        ),
        "message": (
            "A message contradicts itself",
            "Change what the check says, in checks.py if a relation of yours says it.",
        ),
        "promise": (
            "What the text promises has no check",
            "Add the check, and a known mistake that breaks this promise alone; or correct "
            "promises.toml.",
        ),
        "large loss": (
            "One mistake takes more than half of an exercise",
            "Hold a check back (needs) only where it could not be judged without the other; where "
            "the loss is right, give the reason with the exercise.",
        ),
        "ungraded": (
            "A variant could not be graded",
            "See `autograder doctor` for the machine; give the check more time if a limit "
            "stopped it.",
        ),
    }
)

SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "passed": "·",
        "failed": "✗",
        "raised": "!",
        "missing": "?",
        "blank": "o",
        "stopped": "■",
        "skipped": "–",
        "ungraded": "u",
        "manual": "m",
    }
)
TOLD: Mapping[str, str] = MappingProxyType(
    {
        "right": "told by its own name",
        "wrong": "told as another mistake",
        "ambiguous": "could be one of several",
        "none": "not recognised",
    }
)
TOLD_SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"right": "=", "wrong": "≠", "ambiguous": "~", "none": "–"}
)


_DIFF: Mapping[str, str] = MappingProxyType({"+": "added", "-": "removed", "@": "where"})

# ground and ink of each status, to be told apart by colour-blind people as well
COLOURS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "passed": ("#dcebf5", "#35506a"),
        "failed": ("#b84f00", "#ffffff"),
        "raised": ("#0072b2", "#ffffff"),
        "missing": ("#f0e442", "#1f2933"),
        "blank": ("#fff9c4", "#1f2933"),
        "stopped": ("#000000", "#ffffff"),
        "skipped": ("#b6c0c9", "#1f2933"),
        "ungraded": ("#cc79a7", "#1f2933"),
        "manual": ("#c5e8da", "#1f2933"),
    }
)


def sort_words(sort: Sort, count: int) -> str:
    """``1 known mistake``, ``2 known mistakes``."""
    return f"{count} {SORT_WORDS[sort][count != 1]}"


def size_words(size: float) -> str:
    """A tolerance in two digits; words where none would do."""
    return "none would do" if math.isinf(size) else f"{size:.2g}"


def edge(window: Window, side: Literal["right", "wrong"]) -> tuple[str, str]:
    """The size that bounds the window on this side, in words, and the variant that sets it."""
    distances = window.right if side == "right" else window.wrong
    size = window.spread if side == "right" else window.nearest
    if not distances:
        return "not known" if side == "right" else "no wrong one", ""
    if side == "wrong" and math.isinf(size):
        return size_words(size), ""  # all of them set it
    return size_words(size), next(d.variant for d in distances if d.size == size)


def percent(part: float) -> str:
    """A share in percent, rounded down: what is below a floor never reads like the floor."""
    return f"{math.floor(round(part * 1000, 6)) / 10:g} %"


def place(window: Window) -> str:
    """Where a tolerance lies: inside, too tight, too loose, or where nothing can be right."""
    if window.spread >= window.nearest:
        return "no room"
    if window.atol < window.spread:
        return "too tight"
    return "too loose" if window.atol >= window.nearest else "inside"


def kill_words(found: Validation) -> str:
    """Killed mutants against the floor, in one sentence."""
    if not found.mutants:
        return "No mutants were tried."
    return (
        f"{found.killed} of {sort_words('mutant', found.mutants)} killed: {percent(found.rate)}, "
        f"the floor is {percent(found.floor)}."
    )


def told_counts(found: Validation) -> tuple[tuple[str, int], ...]:
    """The diagnoses counted, in the order of ``TOLD``; words not in it follow."""
    names = [*TOLD, *sorted(set(found.diagnosis) - set(TOLD))]
    return tuple((name, found.diagnosis.get(name, 0)) for name in names)


def generated_words(generated: Generated) -> str:
    """``0 of 300 generated equivalents lose points.``"""
    return f"{generated.losing} of {generated.right} generated equivalents lose points."


def training_words(rates: TrainingRates) -> str:
    """A sentence on a check of training: both error rates, and the trainings that it takes."""
    return (
        f"{one_line(rates.check)}: right code fails with probability {rates.false_alarm:.2g} at "
        f"most, a known mistake passes with {rates.miss:.2g}; {rates.right_trainings:.2f} "
        f"trainings of right code and {rates.wrong_trainings:.2f} of wrong code, of {rates.most}."
    )


def diff_lines(diff: str) -> Iterator[tuple[str, str]]:
    """Each line of a diff, made visible, with what it is: added, removed, where or kept."""
    begun = False
    for line in diff.splitlines():
        begun = begun or line.startswith("@@")
        kind = _DIFF.get(line[:1], "kept") if begun else "where"
        yield kind, visible(line.expandtabs(4))
