"""The fixed texts of a validation: the rules with their fixes, and the words for marks."""

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

# singular, plural
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
        "solution": "earn every point",
        "template": "earn nothing",
        "trivial": "earn nothing",
        "mistake": "be caught and named, and not cost too much",
        "equivalent": "lose nothing",
        "mutant": "lose a point, or be explained",
    }
)

# what it means, how to fix it
RULES: Mapping[Rule, tuple[str, str]] = MappingProxyType(
    {
        "solution": (
            "The solution does not earn every point",
            "Correct the solution, or the check that it does not pass.",
        ),
        "template": (
            "The blank template earns points",
            "Ask for something that only a student's own work gives.",
        ),
        "trivial": (
            "A trivial answer earns points",
            "Choose inputs for which the trivial answer is wrong, or make the check need another "
            "one that fails it.",
        ),
        "missed": (
            "A known mistake is not caught by its exercise",
            "Add inputs or a check that distinguish the mistake from a right answer, or tighten "
            "the tolerance.",
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
        "small call": (
            "A right answer fails a small call",
            "Write small calls that the text covers as `NAME_small` in inputs.py, where NAME is "
            "the generator of the check; or change the equivalent if it is wrong.",
        ),
        "idle": (
            "There is a check that nothing fails",
            "Add a known mistake that only this check catches, or drop the check.",
        ),
        "kill rate": (
            "Too few mutants are killed",
            "Look at the survivors: each one shows something that no check tests.",
        ),
        "survivor": (
            "An explanation in survivors.toml belongs to no mutant",
            "Remove the explanation; if another mutant survives in its place, explain that one or "
            "add a check that kills it.",
        ),
        "tolerance": (
            "A tolerance is outside its window",
            "Choose one between what right answers need and the nearest wrong answer; if "
            "there is no room between them, choose other inputs.",
        ),
        "diagnosis": (
            "A known mistake is named as another one",
            "Add hidden calls whose results only this mistake gives, or merge mistakes that cannot "
            "be distinguished.",
        ),
        "training": (
            "A check of training depends on luck",
            "Use more seeds, require fewer or more of them to pass, or use more at first; or state "
            "the measured rates.",
        ),
        "message": (
            "A message contradicts itself",
            "Change the check's message; if it comes from a relation of yours, in checks.py.",
        ),
        "promise": (
            "No check tests what the text promises",
            "Add the check, and a known mistake that breaks this promise alone; or correct "
            "promises.toml.",
        ),
        "large loss": (
            "One mistake takes more than half of an exercise",
            "Add a check of what is right in the mistake, such as the shape or a simple case; if "
            "nothing is, write the reason into [[exercise]]: "
            '`large_loss = [{ mistakes = ["NAME", ...], why = "..." }]`.',
        ),
        "personal": (
            "A student's own values do not do their work",
            "Let the generator draw values that differ, with which the solution always passes; "
            "every exercise whose answers depend on them is personal.",
        ),
        "ungraded": (
            "A variant could not be graded",
            "See `autograder doctor` for the machine; give the check more time if a limit "
            "stopped it.",
        ),
    }
)

SURVIVORS = (
    "A survivor is a fault that no check notices: to inputs.py, add a call for which its result "
    "differs from the solution's. If there is none, say in survivors.toml, beside assignment.toml, "
    "why it is right; it still counts as not killed:"
)
WINDOWS = (
    "How large a tolerance right answers need, how large the check's is, and how large it may be "
    "before a wrong answer passes. Where the position is not inside, set the check's tolerance "
    "between the two."
)

SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "passed": "·",
        "failed": "✗",
        "raised": "!",
        "broken": "x",
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
        "right": "named correctly",
        "wrong": "named as another mistake",
        "ambiguous": "could be one of several",
        "none": "not recognised",
    }
)
TOLD_SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"right": "=", "wrong": "≠", "ambiguous": "~", "none": "–"}
)


_DIFF: Mapping[str, str] = MappingProxyType({"+": "added", "-": "removed", "@": "where"})

# background and text colour of each status, distinguishable to colour-blind readers too
COLOURS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "passed": ("#dcebf5", "#35506a"),
        "failed": ("#b84f00", "#ffffff"),
        "raised": ("#0072b2", "#ffffff"),
        "broken": ("#56b4e9", "#1f2933"),
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
    """A share in percent, rounded down: a value below a floor never reads like the floor."""
    return f"{math.floor(round(part * 1000, 6)) / 10:g} %"


def place(window: Window) -> str:
    """Where a tolerance is: inside, too tight, too loose, or no room where none can be right."""
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


def survivor_entries(found: Validation) -> str:
    """What survivors.toml would need for the survivors that it does not explain."""
    names = (survivor.name for survivor in found.survivors if not survivor.why)
    return "\n".join(f'[[survivor]]\nmutant = "{one_line(name)}"\nwhy = "..."' for name in names)


NO_MISTAKES = "No known mistake is listed, so none can be named."


def told_counts(found: Validation) -> tuple[tuple[str, int], ...]:
    """The diagnoses counted, in the order of ``TOLD``; words not in it follow."""
    names = [*TOLD, *sorted(set(found.diagnosis) - set(TOLD))]
    return tuple((name, found.diagnosis.get(name, 0)) for name in names)


def generated_words(generated: Generated) -> str:
    """``0 of 300 generated equivalents lose points.``"""
    return f"{generated.losing} of {generated.right} generated equivalents lose points."


def training_words(rates: TrainingRates) -> str:
    """A sentence on a check of training: both error rates, and how many trainings it takes."""
    return (
        f"{one_line(rates.check)}: right code fails with probability at most "
        f"{rates.false_alarm:.2g}, a known mistake passes with at most {rates.miss:.2g}; on "
        f"average {rates.right_trainings:.2f} trainings of right code and "
        f"{rates.wrong_trainings:.2f} of wrong code, out of at most {rates.most}."
    )


def diff_lines(diff: str) -> Iterator[tuple[str, str]]:
    """The kind (added, removed, where or kept) and the visible text of each line of a diff."""
    begun = False
    for line in diff.splitlines():
        begun = begun or line.startswith("@@")
        kind = _DIFF.get(line[:1], "kept") if begun else "where"
        yield kind, visible(line.expandtabs(4))
