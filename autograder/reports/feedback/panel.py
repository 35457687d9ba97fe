"""The verdict panel of one exercise as HTML, for the feedback page and for a student's notebook.

Covered: every text is escaped; a panel in a notebook has no script, no ids and only rules that
hold inside it, and can be read on light and dark backgrounds and in narrow columns.
Not covered: a notebook that is opened untrusted shows it without colours.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.gradebook.grade import as_points
from autograder.gradebook.visible import visible
from autograder.judging.verdict import Picture, TablePicture
from autograder.reports.feedback import words
from autograder.reports.feedback.checked import Checked, said_of, standing
from autograder.reports.feedback.plain import LATER, result_of
from autograder.reports.feedback.side_by_side import tables_tag

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
PANEL = "panel.html.j2"
# its parts that a page with the current result replaces, by the name of their mark
RESTATED = {"by hand": "by_hand.html.j2", "points": "panel_points.html.j2"}
IN_NOTEBOOK, STYLE = "notebook_panel.html.j2", "notebook_panel.css"


def templates() -> Environment:
    """The templates alone; values are escaped, and an undefined name is an error."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def environment() -> Environment:
    """The templates with the words and drawings that they use."""
    made = templates()
    made.globals.update(
        amount=words.amount,
        as_points=as_points,
        difference=draw_tag,
        plural=words.plural,
        student_words=words.student_words,
        ticked=ticked,
        visible=visible,
        tone=words.tone,
    )
    return made


def checked_panel(checked: Checked) -> str:
    """One exercise while it is worked on."""
    return _notebook("checked", label=f"Results for {checked.title}", checked=checked)


def table_panel(exercises: Sequence[Checked]) -> str:
    """All exercises, a line each."""
    found = standing(tuple(exercises))
    return _notebook("table", label="All exercises", exercises=exercises, said=said_of(found))


def progress_panel(exercises: Sequence[Checked]) -> str:
    """A bar of all points: earned, not earned yet, given after submission."""
    found = standing(tuple(exercises))
    parts = (("good", found.earned), ("open", found.missing))
    later = ("later", found.hidden + found.by_hand)
    total = max(found.total, 1)
    shares = [(look, round(100 * points / total, 2)) for look, points in (*parts, later) if points]
    return _notebook("progress", label="Points so far", shares=shares, said=said_of(found))


def told_panel(title: str, sentences: Sequence[str]) -> str:
    """A few sentences under a title."""
    return _notebook("told", label=title, title=title, sentences=sentences)


def draw_tag(picture: Picture | TablePicture | None) -> Markup:
    """A drawing as an embedded image, or two tables; empty when there is nothing to draw."""
    if picture is None:
        return Markup("")
    if isinstance(picture, TablePicture):
        return tables_tag(picture)
    from autograder.reports.feedback.picture import draw  # noqa: PLC0415  torch and matplotlib take seconds

    drawing = draw(picture)
    if drawing is None:
        return Markup("")
    source = f"data:image/png;base64,{base64.b64encode(drawing.png).decode('ascii')}"
    return Markup('<figure><img src="{}" alt="{}"></figure>').format(source, drawing.alt)


def ticked(text: str) -> Markup:
    """Escaped text in which `backticks` become code."""
    parts = str(escape(text)).split("`")
    if len(parts) % 2 == 0:  # the last one encloses nothing
        parts[-2:] = ["`".join(parts[-2:])]
    coded = (f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))
    return Markup("".join(coded))  # noqa: S704  escaped here


@functools.cache
def _templates() -> Environment:
    return environment()


@functools.cache
def _style() -> Markup:
    return Markup((TEMPLATES / STYLE).read_text(encoding="utf-8"))  # noqa: S704  our own file


def _notebook(what: str, *, label: str, **given: object) -> str:
    template = _templates().get_template(IN_NOTEBOOK)
    return template.render(
        what=what,
        label=label,
        style=_style(),
        result_of=result_of,
        later=LATER,
        counted=None,
        **given,
    )
