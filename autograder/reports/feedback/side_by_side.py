"""Two data frames side by side, with the cells that differ marked: as HTML and as plain text.

Covered: texts of submissions are escaped, on one line, without control characters; marks do not
rely on colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from autograder.gradebook.visible import one_line
from autograder.judging.verdict import TablePicture, TableView

SIDES = ("expected", "yours")
MARK = "*"  # before a cell that differs, in plain text
GAP = "    "


def tables_tag(picture: TablePicture) -> Markup:
    """Both tables; where there is no room for two, one below the other."""
    sides = zip(SIDES, (picture.expected, picture.actual), strict=True)
    return Markup('<div class="tables">{}</div>').format(
        Markup("").join(_figure(title, view) for title, view in sides)
    )


def tables_text(picture: TablePicture, width: int) -> list[str]:
    """Both tables as lines: side by side where they fit into ``width``, else one below the
    other."""
    first, second = (
        _lines(title, view)
        for title, view in zip(SIDES, (picture.expected, picture.actual), strict=True)
    )
    wide = max(map(len, first))
    if wide + len(GAP) + max(map(len, second)) > width:
        return [*(line[:width] for line in first), "", *(line[:width] for line in second)]
    high = max(len(first), len(second))
    first += [""] * (high - len(first))
    second += [""] * (high - len(second))
    return [f"{a:<{wide}}{GAP}{b}".rstrip() for a, b in zip(first, second, strict=True)]


def _figure(title: str, view: TableView) -> Markup:
    size = Markup(" <span>({})</span>").format(view.size) if view.size else ""
    names = zip(view.columns, view.unknown, strict=True)
    head = Markup("").join(_cell("th", name, wrong=wrong, scope="col") for name, wrong in names)
    rows = Markup("").join(
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            one_line(row.label),
            Markup("").join(
                _cell("td", text, wrong=wrong)
                for text, wrong in zip(row.cells, row.wrong, strict=True)
            ),
        )
        for row in view.rows
    )
    return Markup(
        "<figure><figcaption>{title}{size}</figcaption>"
        '<div class="wide" tabindex="0" role="group" aria-label="{title}"><table><thead><tr>'
        "<td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div></figure>"
    ).format(title=title, size=size, head=head, rows=rows)


def _cell(tag: str, text: str, *, wrong: bool, scope: str = "") -> Markup:
    held = Markup("<mark>{}</mark>").format(one_line(text)) if wrong else one_line(text)
    at = Markup(' scope="{}"').format(scope) if scope else ""
    return Markup("<{tag}{at}>{held}</{tag}>").format(tag=Markup(tag), at=at, held=held)  # noqa: S704


def _lines(title: str, view: TableView) -> list[str]:
    grid = [["", *(_marked(n, w) for n, w in zip(view.columns, view.unknown, strict=True))]]
    for row in view.rows:
        cells = zip(row.cells, row.wrong, strict=True)
        grid.append([one_line(row.label), *(_marked(text, wrong) for text, wrong in cells)])
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    size = f" ({view.size})" if view.size else ""
    return [f"{title}{size}", *(_padded(line, widths) for line in grid)]


def _padded(line: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(f"{text:>{wide}}" for text, wide in zip(line, widths, strict=True))


def _marked(text: str, wrong: bool) -> str:
    return f"{MARK}{one_line(text)}" if wrong else one_line(text)
