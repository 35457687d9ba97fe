"""A validation's matrix drawn: an overview of all variants, and each exercise by name.

Colours are told apart without red or green (after Okabe and Ito), and where a variant has a
name, every status also has its symbol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from autograder.reports.feedback.picture import Drawing
from autograder.reports.feedback.words import plural
from autograder.reports.validation.matrix import ExerciseBlock, ValidationMatrix, bare
from autograder.reports.validation.model import Sort, VariantRow
from autograder.reports.validation.rules import SORT_WORDS, SORTS, SYMBOLS, sort_words
from autograder.reports.validation.sheet import ALARM, INK, SOFT, DrawingSheet, label, wide

# the ground of a status and the ink of its symbol
COLOURS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "passed": ("#dcebf5", "#5b7a92"),
        "failed": ("#d55e00", "#ffffff"),
        "raised": ("#0072b2", "#ffffff"),
        "missing": ("#f0e442", "#1f2933"),
        "blank": ("#fff9c4", "#1f2933"),
        "stopped": ("#000000", "#ffffff"),
        "skipped": ("#b6c0c9", "#1f2933"),
        "ungraded": ("#cc79a7", "#1f2933"),
        "manual": ("#c5e8da", "#1f2933"),
    }
)
MOST = 800  # rows of one exercise that are drawn; the table holds them all
_KILLED = "killed by this check"
_UNASKED, _NONE = "#f4f6f8", "#fdf3ea"
_CELL, _ROW, _GROUP = 30, 20, 24
_THIN, _SORT, _COLUMN, _RULE = 3.0, 13.0, 16, 3
_TALLEST = 12_000
_CHOICES = frozenset({"trivial", "mistake", "equivalent", "mutant"})


def block_picture(arranged: ValidationMatrix, block: ExerciseBlock) -> Drawing:
    """One exercise: its variants by name, its mutants as one line of counts."""
    groups = _groups(block)
    names = [label(bare(row.name, row)) for _, rows in groups for row in rows]
    left = 34 + max(wide(name) for name in [*names, _KILLED])
    heads = [label(check) for check in block.checks]
    top = 14 + max((wide(head) for head in heads), default=0)
    high = top + sum(_GROUP + _ROW * max(len(rows), 1) for _, rows in groups) + 8
    sheet = DrawingSheet(left + max(_CELL * len(heads), 120) + 12, high)
    for at, head in enumerate(heads):
        sheet.text(left + _CELL * (at + 0.5), top - 6, head, upwards=True)
    y = top
    cells: dict[str, list[tuple[float, float]]] = {}
    for title, rows in groups:
        sheet.text(8, y + _GROUP / 2 + 2, title, color=SOFT, bold=True, size=11)
        y += _GROUP
        for row in rows:
            _name(sheet, label(bare(row.name, row)), left, y, troubled=arranged.troubled(row))
            for at, status in enumerate(block.statuses(row)):
                cells.setdefault(status, []).append((left + _CELL * at, y))
            y += _ROW
        if not rows:
            _counts(sheet, block, left, y)
    _paint(sheet, cells, _CELL, _ROW, symbols=True)
    return Drawing(sheet.png(), _block_words(arranged, block))


def _groups(block: ExerciseBlock) -> list[tuple[str, tuple[VariantRow, ...]]]:
    """Titles and rows; the mutants come last, without rows."""
    whole = tuple(row for row in block.rows if row.sort not in _CHOICES)
    groups = [("the whole notebook", whole)] if whole else []
    for sort in SORTS:
        rows = block.of(sort)
        if sort in _CHOICES and rows:
            groups.append((sort_words(sort, len(rows)), rows[:MOST]))
    if block.mutants:
        groups.append((sort_words("mutant", len(block.mutants)), ()))
    return groups


def _name(sheet: DrawingSheet, name: str, left: float, y: float, *, troubled: bool) -> None:
    """A variant's name, marked and in another colour when it is not as it should be."""
    colour = ALARM if troubled else INK
    sheet.text(left - 8, y + _ROW / 2, name, align="right", color=colour, bold=troubled)
    if troubled:
        sheet.marks([(10, y + _ROW / 2)], "▸", size=13, color=ALARM)


def _counts(sheet: DrawingSheet, block: ExerciseBlock, left: float, y: float) -> None:
    """How many mutants each check is failed by, the darker the more."""
    total = len(block.mutants)
    sheet.text(left - 8, y + _ROW / 2, _KILLED, align="right")
    for at, count in enumerate(block.caught(block.mutants)):
        share = count / total
        ground = _between(_NONE, COLOURS["failed"][0], share)
        sheet.box(left + _CELL * at + 1, y + 1, _CELL - 2, _ROW - 2, ground)
        sheet.text(left + _CELL * (at + 0.5), y + _ROW / 2, str(count), align="center", size=11)


def _paint(
    sheet: DrawingSheet,
    cells: Mapping[str, list[tuple[float, float]]],
    width: float,
    height: float,
    *,
    symbols: bool,
) -> None:
    """Cells by status; symbols where there is room for them."""
    gap = 1 if symbols else 0
    for status, corners in cells.items():
        ground, ink = COLOURS.get(status, COLOURS["ungraded"]) if status else (_UNASKED, "")
        placed = [(x + gap, y + gap) for x, y in corners]
        sheet.boxes(placed, width - 2 * gap, height - 2 * gap, ground)
        if symbols and status:
            centres = [(x + width / 2, y + height / 2) for x, y in corners]
            symbol = SYMBOLS.get(status, SYMBOLS["ungraded"])
            sheet.marks(centres, symbol, size=13, color=ink)


def overview_picture(arranged: ValidationMatrix) -> Drawing:
    """All variants, thin, by all checks: faults belong on the diagonal."""
    checks = arranged.found.checks
    sections = list(_sections(arranged))
    thin = min(_THIN, _TALLEST / max(1, len(arranged.found.rows)))
    heights = [max(_SORT, thin * len(rows)) for _, _, rows in sections]
    sorts = max(wide(f"000 {several}", 10) for _, several in SORT_WORDS.values())
    titles = [_title(exercise) for exercise, _, _ in sections]
    left = 8 + max((wide(title, 11) for title in titles), default=0) + 12 + sorts + 8
    heads = [label(check.partition("/")[2]) for check in checks]
    top = 40 + max((wide(head, 11) for head in heads), default=0)
    turns = sum(a != b for a, b in pairwise(titles))
    sheet = DrawingSheet(left + _COLUMN * len(checks) + 12, top + sum(heights) + _RULE * turns + 12)
    _overview_heads(sheet, checks, heads, left, top)
    y, last = top, ""
    for (_, sort, rows), height, title in zip(sections, heights, titles, strict=True):
        if title != last:
            y += _RULE if last else 0
            sheet.line(8, y - _RULE / 2, sheet.width - 12, y - _RULE / 2, SOFT, 0.8)
            sheet.text(8, y + _SORT / 2, title, size=11)
        last = title
        sheet.text(
            left - 8, y + _SORT / 2, sort_words(sort, len(rows)), align="right", size=10, color=SOFT
        )
        _section(sheet, rows, checks, left, y, height / len(rows))
        y += height
    return Drawing(sheet.png(), _overview_words(arranged))


def _section(
    sheet: DrawingSheet,
    rows: Sequence[VariantRow],
    checks: Sequence[str],
    left: float,
    y: float,
    step: float,
) -> None:
    """The cells of rows that are ``step`` pixels high each."""
    cells: dict[str, list[tuple[float, float]]] = {}
    for number, row in enumerate(rows):
        for at, check in enumerate(checks):
            place = (left + _COLUMN * at, y + step * number)
            cells.setdefault(row.statuses.get(check, ""), []).append(place)
    _paint(sheet, cells, _COLUMN - 1, step, symbols=False)


def _title(exercise: str) -> str:
    return label(exercise) if exercise else "the whole notebook"


def _overview_heads(
    sheet: DrawingSheet, checks: Sequence[str], heads: Sequence[str], left: float, top: float
) -> None:
    """The checks' names, and a rule between two exercises."""
    last = ""
    for at, (check, head) in enumerate(zip(checks, heads, strict=True)):
        x = left + _COLUMN * at
        exercise = check.partition("/")[0]
        if exercise != last and at:
            sheet.line(x - 0.5, 8, x - 0.5, sheet.height - 8, SOFT, 0.8)
        last = exercise
        sheet.text(x + _COLUMN / 2, top - 6, head, upwards=True, size=11)


def _sections(arranged: ValidationMatrix) -> Iterator[tuple[str, Sort, tuple[VariantRow, ...]]]:
    """Exercise (empty: the whole notebook), sort and rows, none of them empty."""
    rows = arranged.found.rows
    for exercise in ("", *(block.exercise for block in arranged.blocks)):
        for sort in SORTS:
            some = tuple(row for row in rows if row.exercise == exercise and row.sort == sort)
            if some:
                yield exercise, sort, some


def _between(light: str, dark: str, share: float) -> str:
    """A colour on the way from one to another, at most two thirds of it: ink stays readable."""
    parts = [(int(light[at : at + 2], 16), int(dark[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share * 0.67):02x}" for a, b in parts)


def _block_words(arranged: ValidationMatrix, block: ExerciseBlock) -> str:
    troubled = sum(arranged.troubled(row) for row in block.rows)
    cut = any(len(block.of(sort)) > MOST for sort in SORTS)
    words = (
        f"Matrix of {label(block.exercise)}: {plural(len(block.rows), 'variant')} by "
        f"{plural(len(block.checks), 'check')}; {troubled} not as they should be. "
        "The table below says the same in words."
    )
    return f"{words} Drawn: {MOST} of each sort." if cut else words


def _overview_words(arranged: ValidationMatrix) -> str:
    found = arranged.found
    return (
        f"Overview of all {plural(len(found.rows), 'variant')} by "
        f"{plural(len(found.checks), 'check')}, both grouped by exercise: what fails belongs "
        "into the blocks from the upper left to the lower right. The tables below say the same "
        "in words."
    )
