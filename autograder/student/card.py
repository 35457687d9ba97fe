"""Displayed results: HTML in a notebook, plain text in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from IPython.display import display

from autograder.reports.feedback import panel, plain
from autograder.reports.feedback.checked import Checked


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """Content in both forms, as HTML and as plain text."""

    text: str
    html: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **wishes: Any) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}


def show(card: Card) -> None:
    """Display it: one output of the cell."""
    display(card)


def checked_card(checked: Checked) -> Card:
    """One exercise."""
    return Card(plain.checked_text(checked), panel.checked_panel(checked))


def table_card(exercises: Sequence[Checked]) -> Card:
    """All exercises."""
    return Card(plain.table_text(exercises), panel.table_panel(exercises))


def progress_card(exercises: Sequence[Checked]) -> Card:
    """The points so far."""
    return Card(plain.progress_text(exercises), panel.progress_panel(exercises))


def told_card(title: str, sentences: Sequence[str]) -> Card:
    """A few sentences."""
    return Card(plain.told_text(title, sentences), panel.told_panel(title, sentences))
