"""A student's feedback as one HTML page: score, overview, and the executed notebook with a
verdict panel after each exercise's last cell.

Covered: the page needs no script, loads nothing (its policy forbids both, in addition to the
cleaning in ``cleaning``), and everything from a student goes through ``cells`` and ``cleaning``.
Not covered: mathematics in Markdown is shown as its source, since drawing it needs scripts.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from autograder.gradebook.standing import Standing
from autograder.reports.feedback.feedback import Feedback
from autograder.reports.feedback.panel import PANEL, TEMPLATES, environment
from autograder.reports.feedback.standing_panel import counted

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from autograder.reports.feedback.page_body import Body

BELOW = "<!--below-->"  # the template's mark between the result and the exercises


def feedback_page(
    feedback: Feedback,
    executed: Mapping[str, Any] | None,
    panels_after: Mapping[str, int],
    *,
    standing: Standing | None = None,
) -> str:
    """The page as text, to be written as UTF-8.

    ``standing`` is the current result, with points and comments given by hand, if there is one.
    ``executed`` is the notebook (nbformat 4) as it ran, None for a rejected file; its
    cells carry their number in metadata ``ag_number``. ``panels_after`` maps an
    exercise's id to the number of its last cell; exercises without such a cell get
    their panels in front of the notebook.
    """
    return _writer().page(feedback, executed, panels_after, standing=standing)


def restated(page: str, feedback: Feedback, standing: Standing) -> str:
    """An earlier page with the current result on top; the notebook and the panels below are
    unchanged. A page of an older version is returned unchanged."""
    _, mark, below = page.partition(BELOW)  # above it, nothing from a student is markup
    return _writer().above(feedback, standing) + mark + below if mark else page


class PageWriter:
    """Holds the templates, nbconvert's exporter and a cache of drawings; not thread-safe.
    Equal cells (the template's, in a class) are rendered once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._body: Body | None = None
        self._templates = environment()
        self._page = self._templates.get_template("page.html.j2")
        self._panel = self._templates.get_template(PANEL)
        self._style = (TEMPLATES / "style.css").read_text(encoding="utf-8")

    def page(
        self,
        feedback: Feedback,
        executed: Mapping[str, Any] | None,
        panels_after: Mapping[str, int],
        *,
        standing: Standing | None = None,
    ) -> str:
        """See ``feedback_page``."""
        with self._lock:
            notebook, present = _as_shown(executed) if executed is not None else (None, ())
            panels: dict[int, str] = {}
            homeless: list[str] = []
            for exercise in feedback.exercises:
                panel = self._panel.render(exercise=exercise, checked=None)
                after = panels_after.get(exercise.id, 0)
                if after in present:
                    panels[after] = panels.get(after, "") + panel
                else:
                    homeless.append(panel)
            body = self._below(notebook, panels) if notebook is not None else ""
            return self._whole(feedback, standing, homeless, body)

    def above(self, feedback: Feedback, standing: Standing) -> str:
        """The part of the page above the exercises."""
        with self._lock:
            return self._whole(feedback, standing, (), "").partition(BELOW)[0]

    def _whole(
        self, feedback: Feedback, standing: Standing | None, homeless: Sequence[str], body: str
    ) -> str:
        return self._page.render(
            feedback=feedback,
            counted=counted(standing, feedback) if standing is not None else None,
            homeless=[Markup(panel) for panel in homeless],  # noqa: S704  escaped already
            notebook=Markup(body),  # noqa: S704  cleaned by the exporter's filters
            style=Markup(self._style),  # noqa: S704  our own file
        )

    def _below(self, notebook: NotebookNode, panels: Mapping[int, str]) -> str:
        # importing nbconvert takes a second; a page that is only restated does not need it
        from autograder.reports.feedback.page_body import body_of_notebooks, in_order  # noqa: PLC0415

        self._body = self._body or body_of_notebooks()
        return in_order(self._body.body(notebook, panels))  # guard: headings of a page in order


def _as_shown(executed: Mapping[str, Any]) -> tuple[NotebookNode, Collection[int]]:
    """The notebook of the page, and the numbers of the submission's cells in it."""
    from autograder.reports.feedback.cells import cell_numbers, page_notebook  # noqa: PLC0415  nbformat

    notebook = page_notebook(executed)
    return notebook, cell_numbers(notebook) - {0}


@functools.cache
def _writer() -> PageWriter:
    return PageWriter()
