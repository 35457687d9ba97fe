"""A validation for a terminal, as rich renderables, and as JSON. Nothing is printed here.

Covered: control characters in names, texts and diffs are written out, no text is read as
rich's markup, and no line is wider than the console: a matrix that does not fit is cut
into parts of as many checks as do.
Folded: trivial answers and equivalents that are as they should be (the page shows each).
"""

from __future__ import annotations

from typing import Any

import msgspec
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from autograder.gradebook.visible import one_line
from autograder.reports.feedback.words import plural
from autograder.reports.validation.matrix import ValidationMatrix
from autograder.reports.validation.model import (
    Generated,
    LostPoints,
    Problem,
    Rule,
    Survivor,
    Validation,
    Window,
)
from autograder.reports.validation.rules import (
    NO_MISTAKES,
    RULES,
    SHOULD,
    SORT_WORDS,
    SURVIVORS,
    TOLD,
    TOLD_SYMBOLS,
    WINDOWS,
    diff_lines,
    edge,
    generated_words,
    kill_words,
    place,
    size_words,
    survivor_entries,
    told_counts,
    training_words,
)
from autograder.reports.validation.terminal_matrix import STYLES, MatrixTable

ROOMY = 110  # columns
SHOWN = 20  # problems of one rule; the page and JSON hold them all
_DIFF = {"added": "green", "removed": "red", "where": "cyan", "kept": ""}


def validation_view(found: Validation) -> RenderableType:
    """Verdict, matrices, tolerances, mutants and diagnosis; the problems come last, so that
    they appear just above the prompt."""
    arranged = ValidationMatrix(found)
    if found.untried:
        listed = (_problems(rule, several) for rule, several in arranged.problems.items())
        return Group(_heading(found), Text(), *listed)
    parts: list[RenderableType] = [
        _heading(found),
        Text(),
        _summary(arranged),
        Text(),
        _legend(arranged),
    ]
    parts += [MatrixTable(arranged, block) for block in arranged.blocks]
    if found.windows:
        parts.append(_Windows(found.windows))
    parts += [Text(), Text(kill_words(found), style=_good(found.rate >= found.floor))]
    parts += [_survivor(survivor) for survivor in arranged.survivors]
    if entries := survivor_entries(found):
        parts += [Text(), Text(SURVIVORS), Text(), Text(entries)]
    if found.generated.families:
        parts += [Text(), _generated(found.generated)]
        parts += [_lost(rewrite) for rewrite in arranged.rewrites[:SHOWN]]
    if found.trainings:
        parts += [Text(), *(Text(training_words(training)) for training in found.trainings)]
    if found.promises:
        said = f"{plural(len(found.promises), 'promise')} of the text tested."
        parts += [Text(), Text(said)]
    parts += [Text(), _diagnosis(found)]
    for rule, problems in arranged.problems.items():
        parts += [Text(), _problems(rule, problems)]
    parts += [Text(), _verdict(found)]
    return Group(*parts)


def validation_json(found: Validation) -> str:
    """The validation as JSON, with its derived values; infinities are null."""
    whole: dict[str, Any] = msgspec.to_builtins(found)
    whole |= {"valid": found.valid, "rate": found.rate}
    for window, data in zip(found.windows, whole["windows"], strict=True):
        data |= {"spread": window.spread, "nearest": window.nearest, "place": place(window)}
    return msgspec.json.format(
        msgspec.json.encode(_writable(whole), order="deterministic"), indent=2
    ).decode()


def _writable(data: Any) -> Any:
    """Data with lone surrogates (odd file names have them, UTF-8 forbids them) written out."""
    if isinstance(data, str):
        return data.encode("utf-8", "backslashreplace").decode()
    if isinstance(data, dict):
        return {_writable(key): _writable(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_writable(value) for value in data]
    return data


def _good(good: bool) -> str:
    return "green" if good else "bold red"


def _verdict(found: Validation) -> Text:
    if found.valid:
        return Text("Valid: this assignment is ready to use.", style="bold green")
    return Text(f"Not valid: {plural(len(found.problems), 'problem')}.", style="bold red")


def _heading(found: Validation) -> RenderableType:
    runs = f"{plural(found.ran, 'variant')} run, {found.reused} reused, in {found.seconds:.1f} s"
    lines = (Text(one_line(found.title), style="bold"), _verdict(found), Text(runs, style="dim"))
    title = Text(one_line(found.assignment), overflow="ellipsis", no_wrap=True)
    return Panel(Group(*lines), title=title, title_align="left", expand=False)


def _summary(arranged: ValidationMatrix) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("variants", no_wrap=True)
    table.add_column("in order", justify="right", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    table.add_column("they should", overflow="fold")
    for sort in arranged.sorts:
        good, total = arranged.in_order(sort)
        table.add_row(
            SORT_WORDS[sort][1 if sort not in ("solution", "template") else 0],
            Text(str(good), style=_good(good == total)),
            str(total),
            Text(SHOULD[sort], style="dim"),
        )
    return table


def _legend(arranged: ValidationMatrix) -> RenderableType:
    there = arranged.symbols.items()
    marks = [Text.assemble((f"{symbol} ", STYLES[status]), status) for status, symbol in there]
    known = {arranged.told(row) for row in arranged.found.rows}
    told = [Text(f"{sign} {TOLD[word]}") for word, sign in TOLD_SYMBOLS.items() if word in known]
    rest = Text.assemble(
        ("▸", "bold red"),
        " is not as it should be. An empty cell: the check was not run. A line that begins with a "
        "number counts how many of several variants fail each check: mutants, and trivial answers "
        "and equivalents that are in order.",
    )
    if any(block.elsewhere(row) for block in arranged.blocks for row in block.rows):
        rest.append(" other", "bold").append(": failed checks of other exercises.")
    if told:
        rest.append(" named", "bold").append(": how feedback names the mistake.")
    lists = [Columns(several, padding=(0, 2)) for several in (marks, told) if several]
    return Group(Text("In the matrices", style="bold"), *lists, rest)


class _Windows:
    """The tolerances as a table; names go below their numbers where there is little room."""

    def __init__(self, windows: tuple[Window, ...]) -> None:
        self._windows = windows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        joint = " " if options.max_width >= ROOMY else "\n"
        table = Table(box=None, pad_edge=False, header_style="bold")
        for head in ("check", "right need", "tolerance", "nearest wrong"):
            table.add_column(head, overflow="fold")
        table.add_column("position", no_wrap=True)
        last = ""
        for window in self._windows:
            exercise, _, check = window.check.partition("/")
            if exercise != last:
                table.add_row(Text(one_line(exercise), style="dim italic"))
                last = exercise
            where, (size, variant) = place(window), edge(window, "wrong")
            table.add_row(
                Text(one_line(check)),
                _sized(*edge(window, "right"), joint),
                _sized(size_words(window.atol), window.source, joint),
                _sized(size, variant.removeprefix(f"{exercise}-"), joint),
                Text(where, style=_good(where == "inside")),
            )
        yield Text()
        yield Text("Absolute tolerances", style="bold")
        yield Text(WINDOWS, style="dim")
        yield table


def _sized(size: str, name: str, joint: str) -> Text:
    return Text.assemble(size, (f"{joint}{one_line(name)}" if name else "", "dim"))


def _survivor(survivor: Survivor) -> RenderableType:
    lines = [
        Text(),
        Text.assemble(
            ("▸ " if not survivor.why else "", "bold red"),
            (one_line(survivor.name), "bold"),
            (f"  {one_line(survivor.exercise)}, {one_line(survivor.operator)}", "dim"),
            (f", line {survivor.line}", "dim"),
        ),
    ]
    lines += _diff(survivor.diff)
    said = f"    Explained: {one_line(survivor.why)}" if survivor.why else "    Not explained."
    lines.append(Text(said, style="" if survivor.why else "red"))
    return Group(*lines)


def _generated(generated: Generated) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("generated equivalents", overflow="fold")
    for head in ("right", "lose points", "mean something else"):
        table.add_column(head, justify="right")
    for family, count in generated.tried.items():
        lost = Text(str(count.lost), style=_good(not count.lost))
        table.add_row(one_line(family), str(count.right), lost, str(count.different))
    said = Text(generated_words(generated), style=_good(not generated.losing))
    return Group(table, said)


def _lost(one: LostPoints) -> RenderableType:
    of = Text.assemble(("▸ ", "bold red"), (one_line(one.name), "bold"))
    of.append(f"  made from {one_line(one.parts)}", style="dim")
    return Group(Text(), of, *_diff(one.diff))


def _diff(diff: str) -> list[Text]:
    return [
        Text(f"    {line}", style=_DIFF[kind], overflow="fold") for kind, line in diff_lines(diff)
    ]


def _diagnosis(found: Validation) -> Text:
    counts = told_counts(found)
    if not sum(n for _, n in counts):
        return Text(NO_MISTAKES)
    line = Text(f"Diagnosis of {plural(sum(n for _, n in counts), 'known mistake')}: ")
    said = [
        (f"{count} {TOLD.get(name, name)}", "red" if name == "wrong" else "")
        for name, count in counts
        if count
    ]
    return line.append_text(Text(", ").join(Text(*part) for part in said)).append(".")


def _problems(rule: Rule, problems: list[Problem]) -> RenderableType:
    title, remedy = RULES[rule]
    lines = [Text.assemble((title, "bold red"), (f" ({rule}, {len(problems)})", "red"))]
    for problem in problems[:SHOWN]:
        of = ", ".join(one_line(name) for name in (problem.variant, problem.check) if name)
        lines.append(
            Text.assemble("  ▸ ", (f"{of}: " if of else "", "bold"), one_line(problem.text))
        )
    if len(problems) > SHOWN:
        lines.append(Text(f"  … and {len(problems) - SHOWN} more, in the page and in the JSON"))
    return Group(*lines, Text(f"  Fix: {remedy}", style="dim"))
