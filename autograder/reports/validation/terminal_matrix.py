"""One exercise's matrix of variants by checks for a terminal of any width from 40 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from autograder.gradebook.grade import as_points
from autograder.gradebook.visible import one_line
from autograder.reports.validation.matrix import ExerciseBlock, ValidationMatrix, bare
from autograder.reports.validation.model import Sort, VariantRow
from autograder.reports.validation.rules import SORT_WORDS, SORTS, SYMBOLS, TOLD_SYMBOLS, sort_words

GAP = 2
MARK = 2
_ALONE: frozenset[Sort] = frozenset({"solution", "template"})  # named like their sort
STYLES: Mapping[str, str] = MappingProxyType(
    {
        "passed": "dim",
        "failed": "yellow",
        "raised": "magenta",
        "broken": "blue",
        "missing": "cyan",
        "blank": "dim cyan",
        "stopped": "bold red",
        "skipped": "dim",
        "ungraded": "bold red",
        "manual": "dim",
    }
)
_POINTS, _COSTS, _OTHER, _TOLD = "points", "costs", "other", "named"


class MatrixTable:
    """A block's rows by its checks; cut into parts where the checks do not fit side by side."""

    def __init__(self, arranged: ValidationMatrix, block: ExerciseBlock) -> None:
        self._arranged, self._block = arranged, block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = list(_lines(self._arranged, self._block))
        names = [one_line(check) for check in self._block.checks]
        widest = [max((line.width(at) for line in lines), default=1) for at in range(len(names))]
        extra = _extra(lines)
        longest = max((cell_len(line.label.plain) for line in lines), default=1)
        label = min(longest, max(16, options.max_width * 2 // 5))
        room = options.max_width - MARK - label - sum(len(name) + GAP for name in extra)
        heads, gap = names, GAP
        if sum(max(cell_len(name), 3) + GAP for name in names) > room:
            heads, gap = [str(at + 1) for at in range(len(names))], 1
        widths = [max(cell_len(h), w, 2) for h, w in zip(heads, widest, strict=True)]
        yield Text()
        yield Text(one_line(self._block.exercise), style="bold")
        if heads is not names:
            key = "   ".join(f"{at}:{name}" for at, name in zip(heads, names, strict=True))
            yield Text(key, style="dim", overflow="fold")
        for part in _parts(widths, room, gap):
            yield _table(lines, [(heads[at], widths[at]) for at in part], part, label, gap)


class _Line:
    """A line of the matrix: its label, a cell for each check (none in a heading), and its
    further columns."""

    def __init__(
        self, label: Text, cells: Sequence[Text] = (), *, marked: bool = False, **further: str
    ) -> None:
        self.label, self.cells, self.further = label, tuple(cells), further
        self.mark = Text("▸" if marked else "", "bold red")

    def width(self, at: int) -> int:
        """The columns that the cell needs."""
        return cell_len(self.cells[at].plain) if self.cells else 0


def _lines(arranged: ValidationMatrix, block: ExerciseBlock) -> Iterator[_Line]:
    for sort in SORTS:
        folded = arranged.folded(block, sort)
        shown = [row for row in block.of(sort) if row not in folded]
        if shown and sort not in _ALONE:
            yield _Line(Text(SORT_WORDS[sort][1], "dim italic"))
        for row in shown:
            yield _single(arranged, block, row)
        if folded:
            yield _sum(block, sort, folded)
    if block.mutants:
        yield _sum(block, "mutant", block.mutants)


def _single(arranged: ValidationMatrix, block: ExerciseBlock, row: VariantRow) -> _Line:
    troubled = arranged.troubled(row)
    label = Text(one_line(bare(row.name, row)), "red" if troubled else "")
    cells = [
        Text(SYMBOLS.get(status, "u") if status else "", STYLES.get(status, "bold red"))
        for status in block.statuses(row)
    ]
    earned = row.earned.get(block.exercise)
    away = block.elsewhere(row)
    further = {
        _POINTS: "" if earned is None else f"{as_points(earned):g}",
        _COSTS: arranged.costs(row),
        _OTHER: str(away) if away else "",
        _TOLD: TOLD_SYMBOLS.get(arranged.told(row), ""),
    }
    return _Line(label, cells, marked=troubled, **further)


def _sum(block: ExerciseBlock, sort: Sort, rows: Sequence[VariantRow]) -> _Line:
    label = Text(f"{sort_words(sort, len(rows))}", style="blue")
    cells = [Text(str(count) if count else "·", "blue") for count in block.caught(rows)]
    earned = {row.earned.get(block.exercise) for row in rows}
    same = earned.pop() if len(earned) == 1 else None
    return _Line(label, cells, points="" if same is None else f"{as_points(same):g}")


def _extra(lines: Sequence[_Line]) -> list[str]:
    """The further columns that are not empty."""
    return [
        name
        for name in (_POINTS, _COSTS, _OTHER, _TOLD)
        if any(line.further.get(name) for line in lines)
    ]


def _parts(widths: Sequence[int], room: int, gap: int) -> list[range]:
    """The columns cut into runs that fit the room; at least one column each."""
    parts, first, used = [], 0, 0
    for at, width in enumerate(widths):
        if at > first and used + width + gap > room:
            parts.append(range(first, at))
            first, used = at, 0
        used += width + gap
    return [*parts, range(first, len(widths))]


def _table(
    lines: Sequence[_Line],
    heads: Sequence[tuple[str, int]],
    part: range,
    label: int,
    gap: int,
) -> Table:
    table, extra = Table.grid(padding=0), _extra(lines)
    table.show_header, table.header_style = True, "bold"
    table.add_column(width=MARK)
    table.add_column(width=label, overflow="fold")
    for head, width in heads:  # the gap comes first, so that no line ends in it
        table.add_column(Text(head, justify="right"), width=width + gap, justify="right")
    for name in extra:
        table.add_column(Text(name, justify="right"), width=len(name) + GAP, justify="right")
    for line in lines:
        cells = [line.cells[at] for at in part] if line.cells else [Text() for _ in part]
        table.add_row(
            line.mark, line.label, *cells, *(line.further.get(name, "") for name in extra)
        )
    return table
