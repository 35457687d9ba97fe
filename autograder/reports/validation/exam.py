"""What `autograder validate --exam` found, and the table that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.gradebook.visible import one_line

Explained = Literal["mistake", "mistakes", "change", "mutant", "property", "message", "nothing"]
WORDS: dict[Explained, str] = {
    "mistake": "known mistake",
    "mistakes": "several",
    "change": "change of the result",
    "mutant": "as if ...",
    "property": "what calls share",
    "message": "own message",
    "nothing": "nothing",
}
FEW = 12  # numbers of a small call, with both results, that are read at a glance
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
    """A row for each family; then what is explained falsely or not at all."""
    grid = Table("wrong answers", title=table.assignment, title_justify="left")
    for words in ("asked", *WORDS.values(), "small call", f"up to {FEW} numbers", "false"):
        grid.add_column(words, justify="right")
    for family in dict.fromkeys(answer.family for answer in table.answers):
        grid.add_row(*_row(family, [a for a in table.answers if a.family == family]))
    grid.add_section()
    grid.add_row(*_row("all", table.answers))
    asked = len(table.answers)
    explained = sum(answer.explained != "nothing" for answer in table.answers)
    false = sum(bool(answer.false) for answer in table.answers)
    share = f" ({explained / asked:.0%})" if asked else ""
    verdict = f"{explained} of {asked} wrong answers are explained{share}, {false} of them falsely"
    style = "green" if table.valid else "red"
    return Group(grid, *_lines(table.answers), *_reasons(table.answers), Text(verdict, style=style))


def _row(name: str, answers: Sequence[ExamAnswer]) -> list[str]:
    counts = Counter(answer.explained for answer in answers)
    small = [answer.small for answer in answers if answer.small]
    few = sum(max(sizes) <= FEW for sizes in small)
    false = sum(bool(answer.false) for answer in answers)
    every = (len(answers), *(counts[key] for key in WORDS), len(small), few, false)
    return [name, *map(str, every)]


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
