"""A validation of a flagship's size, made up, with odd and hostile names in it."""

from __future__ import annotations

import math
import random

import msgspec

from autograder.reports.validation.model import (
    Distance,
    FamilyCount,
    Generated,
    LostPoints,
    Problem,
    Sort,
    Survivor,
    Validation,
    VariantRow,
    Window,
)
from tests.support.cases import CASES
from tests.support.tables import read_table

_MADE_UP = read_table(CASES / "validation.yaml")
CHECKS, WORDS, DIFF = _MADE_UP["checks"], _MADE_UP["words"], _MADE_UP["diff"]
HOSTILE = "<script>document.title='OWNED'</script>"
MARKUP = "[bold red]not markup[/] & \x1b[31mred\u202e $x^2$ \ud800 注意"
LONG = (
    "a-form-with-a-very-long-name-that-no-column-is-made-for-and-that-nobody-should-have-given-it"
)


def made(seed: int = 4) -> Validation:
    """With two dozen problems of every rule."""
    dice = random.Random(seed)
    rows = [_whole("solution", "solution", "passed"), _whole("template", "template", "missing")]
    for sort, count in (("trivial", 100), ("mistake", 80), ("equivalent", 33), ("mutant", 300)):
        rows += [_row(dice, sort, at) for at in range(count)]  # type: ignore[arg-type]
    rows += [
        _named("mistake", HOSTILE, "cosine_similarity"),
        _named("mistake", MARKUP, "cosine_similarity"),
        _named("equivalent", LONG, "cosine_similarity"),
    ]
    survivors = tuple(
        Survivor(
            row.name,
            row.exercise,
            "swap the operands",
            17,
            DIFF,
            "" if at == 3 else "Both orders give the same sum.",
        )
        for at, row in enumerate(r for r in rows if r.sort == "mutant" and _is_survivor(r))
    )
    return Validation(
        assignment="embeddings-and-position",
        title="Embeddings & position: <i>first</i> steps",
        seconds=74.25,
        ran=312,
        reused=204,
        checks=tuple(f"{e}/{c}" for e, checks in CHECKS.items() for c in checks),
        rows=tuple(rows),
        problems=_problems(),
        windows=_windows(dice),
        mutants=300,
        killed=300 - len(survivors),
        floor=0.95,
        survivors=survivors,
        diagnosis={"none": 1, "right": 79, "ambiguous": 2, "wrong": 0},
        operators={"swap the operands": (288, 300), MARKUP: (0, 0)},
        generated=Generated(
            {"products": FamilyCount(40, 3, 2), MARKUP: FamilyCount(9, 0, 0)},
            tuple(
                LostPoints(f"lookups-{n}{HOSTILE}", MARKUP, "cosine_similarity/vectors", HOSTILE, d)
                for n, d in ((1, DIFF), (1, DIFF), (2, DIFF), (3, ""))
            ),
        ),
    )


def flawless() -> Validation:
    """The same assignment without a problem, survivor or window."""
    return msgspec.structs.replace(
        made(),
        problems=(),
        survivors=(),
        windows=(),
        killed=300,
        diagnosis={"right": 82},
        generated=Generated({"products": FamilyCount(40, 3, 0)}),
    )


def _whole(sort: Sort, name: str, status: str) -> VariantRow:
    statuses = {f"{e}/{c}": status for e, checks in CHECKS.items() for c in checks}
    points = 1500 if sort == "solution" else 0
    return VariantRow(sort, name, "", f"The {name}", statuses, dict.fromkeys(CHECKS, points))


def _row(dice: random.Random, sort: Sort, at: int) -> VariantRow:
    exercise = list(CHECKS)[min(int(dice.triangular(0, 11, 5)), 9)]
    checks = CHECKS[exercise]
    if sort == "equivalent":
        statuses = dict.fromkeys(checks, "passed")
    else:
        fault = dice.choice(["failed"] * 6 + ["raised", "missing", "stopped"])
        hit = dice.sample(checks, dice.randint(1, len(checks)))
        if sort == "mutant" and at % 25 == 0:
            hit = []
        statuses = {c: fault if c in hit else "passed" for c in checks}
        statuses |= {c: "skipped" for c in checks[-1:] if fault == "stopped" and c not in hit}
    name = f"{WORDS[at % len(WORDS)]}-{at}"
    told = (name,) if sort == "mistake" and at % 20 else ()
    return VariantRow(
        sort,
        name,
        exercise,
        f"What {name} is",
        {f"{exercise}/{check}": status for check, status in statuses.items()},
        {exercise: 1500 if sort == "equivalent" else 0},
        told,
    )


def _named(sort: Sort, name: str, exercise: str) -> VariantRow:
    statuses = {f"{exercise}/{c}": "failed" for c in CHECKS[exercise]}
    statuses["input_pipeline/function"] = "failed"
    return VariantRow(sort, name, exercise, name, statuses, {exercise: 250}, (HOSTILE, "other"))


def _is_survivor(row: VariantRow) -> bool:
    return set(row.statuses.values()) == {"passed"}


def _problems() -> tuple[Problem, ...]:
    many = [
        Problem("trivial", f"Zeros number {at} earn 0.5 points.", f"zeros-{at}", "pe_heatmap/table")
        for at in range(24)
    ]
    return (
        Problem("missed", f"`{HOSTILE}` is caught by no check.", HOSTILE),
        Problem("elsewhere", "It is also charged in `input_pipeline`.", MARKUP),
        Problem("unfair", "It loses 1.5 points at `vectors`.", LONG, "cosine_similarity/vectors"),
        Problem("idle", "No variant fails this check.", "", "frequency_order/answer"),
        Problem("tolerance", "1e-09 is below what right answers need, 3.1e-07.", "", "x/y"),
        Problem("kill rate", "94.9 % of the mutants are killed, the floor is 95 %."),
        Problem("survivor", "Nothing explains it.", "multiplies-85"),
        *many,
    )


def _windows(dice: random.Random) -> tuple[Window, ...]:
    windows = []
    numeric = [f"{e}/{c}" for e, checks in CHECKS.items() for c in checks][:35]
    for at, check in enumerate(numeric):
        right = tuple(
            Distance(f"form-{n}", 0.0 if n % 3 == 0 else 10 ** dice.uniform(-9, -6))
            for n in range(4)
        )
        wrong = tuple(
            Distance(f"{WORDS[n]}-{n}", math.inf if n % 4 == 0 else 10 ** dice.uniform(-3, 2))
            for n in range(7)
        )
        windows.append(Window(check, 1e-5, 1e-5, "measured" if at % 3 else "usual", right, wrong))
    first, second, third, fourth, *rest = windows
    return (
        msgspec.structs.replace(first, atol=1e-10, source="written"),
        msgspec.structs.replace(second, atol=3.0),
        msgspec.structs.replace(
            third, atol=0.0, right=(Distance("same", 0.0),), wrong=(Distance("shape", math.inf),)
        ),
        msgspec.structs.replace(fourth, wrong=(Distance(HOSTILE, 1e-12),)),
        *rest,
    )
