"""The output of `autograder bench`: figures with their goals, as data and as a table."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from rich.box import ASCII
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.tools.bench.measure import Benchmark, median_of, medians
from autograder.tools.bench.queue import GROWN_MB, Queued
from autograder.tools.bench.regrade import RegradeCost
from autograder.tools.bench.soak import Sample, growth

GOALS = {
    "added_ms": 30.0,  # box, transport and judging, over the same work done plainly
    "nbconvert_ratio": 40.0,
    "nbconvert_ratio_drawn": 20.0,
    "two_workers": 1.7,
    "child_memory_mb": 80.0,
    "layers_ms": 6.0,  # by the clock, above a plain fork
    "simulated_ms": 20.0,  # for each exercise with a check of devices
    "simulated_asking_ms": 20.0,
    "explained_ms": 300.0,  # of a wrong submission, for everything but edits
    "explained_most_ms": 300.0,
    "edits_ms": 2000.0,
    "edits_most_ms": 2000.0,
    "explained_calls": 30,
    "right_jobs": 0,
}
BAR = 30  # characters of the longest bar
QUEUE_BAR = 14
MISSING_SHOWN = 10
LARGE_IS_GOOD = frozenset({"nbconvert_ratio", "nbconvert_ratio_drawn", "two_workers"})


def findings(measured: Benchmark) -> dict[str, Any]:
    """All figures: milliseconds of processor time, ratios, MB."""
    rounds = measured.rounds
    figures_ = {
        "added_ms": 1000 * median_of(rounds, lambda r: r.grader - r.plain_all),
        "added_ms_drawn": 1000 * median_of(rounds, lambda r: r.grader_drawn - r.plain_all_drawn),
        "added_over_cells_ms": 1000 * median_of(rounds, lambda r: r.grader - r.plain_cells),
        "calls_ms": 1000 * median_of(rounds, lambda r: r.plain_all - r.plain_cells),
        "nbconvert_ratio": median_of(rounds, lambda r: r.nbconvert / r.grader),
        "nbconvert_ratio_drawn": median_of(rounds, lambda r: r.nbconvert / r.grader_drawn),
        "nbconvert_ratio_with_page": median_of(
            rounds, lambda r: r.nbconvert / (r.grader_drawn + r.page)
        ),
        "two_workers": statistics.median(measured.speedups) if measured.speedups else None,
        "child_memory_mb": measured.memory_mb,
        "layers_ms": statistics.median(measured.layers_ms),
        "simulated_ms": measured.simulated_ms.get("calls"),
        "simulated_asking_ms": measured.simulated_ms.get("asking"),
        **measured.explained,
    }
    return {
        "rounds": len(rounds),
        "figures": measured.figures,
        "cpu_ms": {name: round(value, 1) for name, value in medians(rounds).items()},
        **{name: None if v is None else round(v, 2) for name, v in figures_.items()},
        "goals": GOALS,
    }


def regrade_table(times: Sequence[RegradeCost]) -> RenderableType:
    """What each regrade of a stored class took; the first one doubles the tolerance."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("changed", "clock", "processor", "moved", "memory"):
        table.add_column(column, justify="left" if column == "changed" else "right")
    for time in times:
        table.add_row(
            time.change,
            f"{time.wall_s:.1f} s",
            f"{time.cpu_s:.1f} s",
            str(time.moved),
            f"{time.peak_mb:.0f} MB",
        )
    return table


def soak_table(samples: Sequence[Sample]) -> RenderableType:
    """The grader's memory along the way, as a table with a bar for each sample."""
    most = max(sample.grader_mb for sample in samples)
    table = Table(title="Resident memory while grading", title_justify="left")
    for column in ("graded", "grader MB", "", "zygote MB"):
        table.add_column(column, justify="right" if column else "left")
    for sample in samples:
        bar = "█" * round(BAR * sample.grader_mb / most)
        table.add_row(str(sample.graded), f"{sample.grader_mb:.1f}", bar, f"{sample.zygote_mb:.1f}")
    grown = Text(f"The grader grew by {growth(samples):+.1f} MB in the second half.")
    return Group(table, grown)


def queue_table(found: Queued) -> RenderableType:
    """The grader's memory and rate along the queue, and whether everybody is accounted for."""
    most = max(moment.sample.grader_mb for moment in found.moments)
    curve = Table(title="Resident memory along the queue", title_justify="left", box=ASCII)
    for column in ("graded", "grader MB", "", "pieces", "zygote MB", "a second"):
        curve.add_column(column, justify="right" if column else "left")
    for one in found.moments:
        bar = "#" * round(QUEUE_BAR * one.sample.grader_mb / most)
        rate = f"{one.rate:.0f}" if one.rate else ""
        curve.add_row(
            f"{one.sample.graded:,}",
            f"{one.sample.grader_mb:.1f}",
            bar,
            f"{one.kept:,}",
            f"{one.sample.zygote_mb:.1f}",
            rate,
        )
    statuses = ", ".join(f"{count:,} {status}" for status, count in found.statuses.items())
    missing = ", ".join(found.missing[:MISSING_SHOWN]) or "nobody"
    lines = (
        f"{found.handed_in:,} handed in: {statuses or 'none'}; {found.rows:,} rows in the "
        f"gradebook, {found.results:,} results, {found.pages:,} pages.",
        f"Missing: {missing}." if found.accounted or found.missing else "The counts differ.",
        f"{found.distinct:,} different contents were run; equal ones share stored evidence "
        f"({found.evidence:,} files with the solution's).",
        f"Intake {found.intake_s:.1f} s and {found.intake_mb:.1f} MB, grading "
        f"{found.grading_s:.0f} s, gradebook {found.end_s:.1f} s; at most {found.peak_mb:.0f} MB.",
        f"From half of the queue to the end the grader grew by {found.grown_mb:+.1f} MB "
        f"(at most {GROWN_MB:g}): {'flat' if found.flat else 'NOT FLAT'}.",
    )
    return Group(curve, *map(Text, lines))


def table(found: dict[str, Any]) -> RenderableType:
    """Two tables: processor time per way, and the derived figures beside the goals."""
    cost = Table(
        title=f"Processor time per submission, median of {found['rounds']} rounds",
        title_justify="left",
    )
    cost.add_column("way")
    cost.add_column("ms", justify="right")
    names = {
        "plain_cells": "cells in a plain warm process",
        "plain_all": "cells and calls in a plain warm process",
        "grader": "graded: box, transport, calls, judging",
        "plain_cells_drawn": f"cells, {found['figures']} figures drawn, plain",
        "plain_all_drawn": f"cells and calls, {found['figures']} figures drawn, plain",
        "grader_drawn": f"graded, {found['figures']} figures drawn",
        "page": "result file and feedback page",
        "nbconvert": "jupyter nbconvert --execute",
    }
    for name, label in names.items():
        cost.add_row(label, f"{found['cpu_ms'][name]:.0f}")
    said = Table(title="What follows", title_justify="left")
    for column in ("figure", "value", "goal"):
        said.add_column(column, justify="left" if column == "figure" else "right")
    labels = {
        "added_ms": ("box, transport, judging over the same work done plainly", "ms"),
        "added_ms_drawn": ("the same with figures drawn", "ms"),
        "calls_ms": ("the calls themselves (work that a plain run does not do)", "ms"),
        "added_over_cells_ms": ("everything over the cells alone", "ms"),
        "nbconvert_ratio": ("nbconvert costs this many times as much, not drawn", "x"),
        "nbconvert_ratio_drawn": ("nbconvert costs this many times as much, drawn", "x"),
        "nbconvert_ratio_with_page": ("the same with our feedback page counted", "x"),
        "two_workers": ("two workers against one, by the clock", "x"),
        "child_memory_mb": ("private memory of a running child", "MB"),
        "layers_ms": ("all layers of isolation above a plain fork, by the clock", "ms"),
        "simulated_ms": ("simulated accelerator, for each exercise with such a check", "ms"),
        "simulated_asking_ms": ("the same of a notebook that looks for an accelerator", "ms"),
        "explained_ms": ("explaining a wrong submission, without edits", "ms"),
        "explained_most_ms": ("the same, at most", "ms"),
        "edits_ms": ("trying edits of a wrong submission", "ms"),
        "edits_most_ms": ("the same, at most", "ms"),
        "mutants_ms": ("the mutants of the solution, each submission's share", "ms"),
        "explained_calls": ("further calls of a wrong submission, at most", ""),
        "explained_ratio": ("a wrong submission with explanations over its judged run", "x"),
        "right_jobs": ("further runs of a right submission", ""),
    }
    for name, (label, unit) in labels.items():
        value, goal = found[name], GOALS.get(name)
        if value is None:
            continue
        sign = "" if goal is None else f"{'>=' if name in LARGE_IS_GOOD else '<='} {goal:g}"
        said.add_row(label, f"{value:.1f} {unit}", sign)
    note = Text("Ratios and differences are taken within a round; the machine may be noisy.")
    return Group(cost, said, note)
