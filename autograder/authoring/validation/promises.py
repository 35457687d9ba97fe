"""The table of promises: what the template's text asks for, and which checks test it.

``promises.toml`` is in the assignment's folder. Each entry quotes the text, names the checks that
test it, and one known mistake or mutant that breaks this promise: if that passes those checks,
nothing tests what the text says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.document import load_table
from autograder.assignment.kinds import Frozen
from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.authoring.validation.rules import ACCEPTED
from autograder.authoring.validation.trials import TrialResult
from autograder.notebook.submission import Submission
from autograder.reports.validation.model import ChargedAgain, Problem, Promise, VariantRow

FILE = "promises.toml"
HALF = 0.5  # of an exercise: a known mistake that costs more needs a reason
_MARK = re.compile(r"^[ \t]*#+[ \t]?", re.MULTILINE)  # of comments in code


class _Promise(Frozen):
    exercise: str
    text: str
    checks: tuple[str, ...]
    broken_by: str


class _ChargedAgain(Frozen):
    exercise: str
    also: str
    text: str


class _File(Frozen):
    promise: tuple[_Promise, ...] = ()
    charged_again: tuple[_ChargedAgain, ...] = ()


@dataclass(frozen=True, slots=True)
class Promises:
    """The file's two tables."""

    promise: tuple[Promise, ...] = ()
    charged_again: tuple[ChargedAgain, ...] = ()


def read_promises(loaded: Loaded) -> Promises:
    """The assignment's table; empty without a file. Raises ``SpecError``."""
    path = Path(loaded.folder, FILE)
    file = load_table(_File, path) if path.is_file() else _File()
    return Promises(
        tuple(Promise(**one.model_dump()) for one in file.promise),
        tuple(ChargedAgain(**one.model_dump()) for one in file.charged_again),
    )


def promise_problems(
    loaded: Loaded,
    promises: Promises,
    template: Submission,
    tried: Sequence[TrialResult],
    *,
    quick: bool,
) -> Iterator[Problem]:
    """Promises that no check tests, and mistakes that are charged twice although the text does not
    allow it. ``quick``: no mutants were tried, so promises that a mutant breaks are not judged."""
    said = _plain("\n".join(_text(cell.kind, cell.source) for cell in template.cells))
    checks = {e.id: {check.id for check in e.check} for e in loaded.spec.exercise}
    quotes = [(one.exercise, one.text) for one in promises.promise]
    quotes += [(one.exercise, one.text) for one in promises.charged_again]
    for exercise, text in quotes:
        if exercise not in checks:
            yield _wrong(f"there is no exercise {exercise!r}")
        if not text.strip() or _plain(text) not in said:
            yield _wrong(f"the template does not say {text!r}")
    rows = {
        (one.row.exercise, one.row.name): one.row
        for one in tried
        if one.what.sort in ("mistake", "mutant")
    }
    for promise in promises.promise:
        if promise.exercise in checks:
            yield from _unkept(promise, checks[promise.exercise], rows, quick=quick)
    breakers = Counter((p.exercise, p.broken_by) for p in promises.promise)
    for (_, name), count in breakers.items():
        if count > 1:
            yield _wrong(f"{name} breaks {count} promises; each promise needs its own fault", name)
    yield from _without_leave(promises, tried)


def large_loss_problems(spec: Assignment, rows: Sequence[VariantRow]) -> Iterator[Problem]:
    """Known mistakes that cost more than half of their exercise without a reason, and reasons that
    no such mistake needs."""
    solution = next(row for row in rows if row.sort == "solution")
    shares = {(r.exercise, r.name): r.costs(solution) for r in rows if r.sort == "mistake"}
    large = {key: share for key, share in shares.items() if share > HALF}
    for exercise in spec.exercise:
        names = [name for where, name in large if where == exercise.id]
        for name in names:
            if not any(loss.covers(name) for loss in exercise.large_loss):
                text = (
                    f"it costs {large[exercise.id, name]:.0%} of {exercise.id}, and no "
                    "`large_loss` of the exercise gives the reason"
                )
                yield Problem("large loss", text, name)
        for loss in exercise.large_loss:
            for pattern in loss.unused(names):
                text = (
                    f"[[exercise.large_loss]] of {exercise.id} names {pattern!r}, and no known "
                    "mistake of that name costs more than half"
                )
                yield Problem("large loss", text)


def _unkept(
    promise: Promise, checks: set[str], rows: Mapping[tuple[str, str], VariantRow], *, quick: bool
) -> Iterator[Problem]:
    if not promise.checks:
        yield _wrong(f"no check is named for {promise.text!r}")
    for check in promise.checks:
        if check not in checks:
            yield _wrong(f"there is no check {check!r} in {promise.exercise}")
    row = rows.get((promise.exercise, promise.broken_by))
    if row is None:
        if not quick:
            text = f"no known mistake or mutant of {promise.exercise} is named"
            yield _wrong(f"{text} {promise.broken_by!r}", promise.broken_by)
        return
    for check in promise.checks:
        name = f"{promise.exercise}/{check}"
        if row.statuses.get(name) in ACCEPTED:
            yield _wrong(f"it does not fail although it breaks {promise.text!r}", row.name, name)


def _without_leave(promises: Promises, tried: Sequence[TrialResult]) -> Iterator[Problem]:
    given = {(one.exercise, one.also) for one in promises.charged_again}
    used: set[tuple[str, str]] = set()
    for one in tried:
        for other in one.what.variant.also if one.what.variant is not None else ():
            used.add((one.what.exercise, other))
            if (one.what.exercise, other) not in given:
                text = f"it is charged again in {other}: no [[charged_again]] allows it"
                yield _wrong(text, one.what.name)
    for exercise, other in sorted(given - used):
        yield _wrong(f"no known mistake of {exercise} is charged again in {other}")


def _wrong(text: str, variant: str = "", check: str = "") -> Problem:
    return Problem("promise", text, variant, check)


def _text(kind: str, source: str) -> str:
    return source if kind == "markdown" else _MARK.sub("", source)


def _plain(text: str) -> str:
    return " ".join(text.split())
