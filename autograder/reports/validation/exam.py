"""What `autograder validate --exam` found, and the table that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.gradebook.visible import one_line

Explained = Literal["mistake", "mistakes", "change", "mutant", "property", "message", "nothing"]
WORDS: dict[Explained, str] = {
    "mistake": "a known mistake",
    "mistakes": "several of them",
    "change": "a changed result",
    "mutant": "as if ...",
    "property": "what wrong calls share",
    "message": "the check's own message",
    "nothing": "not explained",
}
FEW = 12  # numbers of a small call, with both results, that are read at a glance
_WHAT = (
    "wrong answers",
    *WORDS.values(),
    "with a small call",
    f"of up to {FEW} numbers",
    "explained falsely",
)
SHOWN = 40  # unexplained and false ones; JSON holds them all


class ExamAnswer(msgspec.Struct, frozen=True):
    """One wrong answer, and how it is explained. "message": by the check's own sentence, which says
    more than how many numbers differ. ``text``: of the first explanation; ``small``: how many
    numbers each small call holds that is shown, with both results; ``without``: the kinds of failed
    checks that have none, and why; ``large``: why a small call has more than ``FEW`` numbers;
    ``false``: what further calls refuted, if anything."""

    family: str
    name: str
    exercise: str
    explained: Explained
    text: str = ""
    small: tuple[int, ...] = ()
    without: tuple[str, ...] = ()
    large: tuple[str, ...] = ()
    false: str = ""
    unclear: str = ""


class ExamTable(msgspec.Struct, frozen=True):
    """All answers of an exam; those that lose no points are not among them."""

    assignment: str
    answers: tuple[ExamAnswer, ...]

    @property
    def valid(self) -> bool:
        """Whether no explanation is false."""
        return not any(answer.false for answer in self.answers)


def exam_view(table: ExamTable) -> RenderableType:
    """A column for each family; then what is explained falsely or not at all."""
    families = list(dict.fromkeys(answer.family for answer in table.answers))
    grid = Table("", box=SIMPLE, title=table.assignment, title_justify="left")
    columns = [_counts([a for a in table.answers if a.family == family]) for family in families]
    for heading in (*map(str, range(1, len(families) + 1)), "all"):
        grid.add_column(heading, justify="right")
    for cells in zip(_WHAT, *columns, _counts(table.answers), strict=True):
        grid.add_row(*cells)
    legend = [Text(f"{number}  {family}") for number, family in enumerate(families, start=1)]
    asked = len(table.answers)
    explained = sum(answer.explained != "nothing" for answer in table.answers)
    false = sum(bool(answer.false) for answer in table.answers)
    share = f" ({explained / asked:.0%})" if asked else ""
    verdict = f"{explained} of {asked} wrong answers are explained{share}, {false} of them falsely"
    style = "green" if table.valid else "red"
    lines = (*_lines(table.answers), *_reasons(table.answers))
    return Group(grid, *legend, Text(), *lines, Text(verdict, style=style))


def _counts(answers: Sequence[ExamAnswer]) -> list[str]:
    counts = Counter(answer.explained for answer in answers)
    small = [answer.small for answer in answers if answer.small]
    few = sum(max(sizes) <= FEW for sizes in small)
    false = sum(bool(answer.false) for answer in answers)
    every = (len(answers), *(counts[key] for key in WORDS), len(small), few, false)
    return [str(count) if count else "·" for count in every]


def _lines(answers: Sequence[ExamAnswer]) -> Iterator[Text]:
    for answer in [answer for answer in answers if answer.false][:SHOWN]:
        said = f"{answer.exercise}, {answer.name}: {answer.text} (refuted: {answer.false})"
        yield Text(one_line(said), style="red")
    for answer in [answer for answer in answers if answer.explained == "nothing"][:SHOWN]:
        yield Text(one_line(f"{answer.exercise}, {answer.name}: not explained {answer.unclear}"))


def _reasons(answers: Sequence[ExamAnswer]) -> Iterator[Text]:
    """How often a failed check of a kind is shown no small call, or a large one, by the reason."""
    for what, reasons in (
        ("without a small call", [reason for answer in answers for reason in answer.without]),
        (f"more than {FEW} numbers", [reason for answer in answers for reason in answer.large]),
    ):
        for reason, count in Counter(reasons).most_common():
            yield Text(f"{what} in {count}: {reason}")
