"""A student's feedback as one HTML page: the score, what to look at, an overview, and the executed
notebook with a verdict panel after each exercise's last cell. What is as in the template is folded,
and so are right answers.

Covered: the page needs no script, loads nothing (its policy forbids both, in addition to the
cleaning in ``cleaning``), and everything from a student goes through ``cells`` and ``cleaning``.
Not covered: mathematics in Markdown is shown as its source, since drawing it needs scripts.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from autograder.gradebook.standing import Standing
from autograder.judging.verdict import Status
from autograder.reports.feedback.arrangement import VerdictPanel, framed
from autograder.reports.feedback.feedback import Feedback, told_before
from autograder.reports.feedback.panel import PANEL, RESTATED, TEMPLATES, environment
from autograder.reports.feedback.standing_panel import StandingView, counted

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from autograder.reports.feedback.page_body import Body

BELOW = "<!--below-->"  # the template's mark between the result and the exercises
# in a panel, what a grader adds or replaces; nothing that a person has written is markup
_RESTATED = re.compile(
    rf"<!--({'|'.join(RESTATED)}): ([A-Za-z0-9_-]+)-->.*?(?=<!--end-->)", re.DOTALL
)


def feedback_page(
    feedback: Feedback,
    executed: Mapping[str, Any] | None,
    panels_after: Mapping[str, int],
    *,
    standing: Standing | None = None,
    given: Collection[int] = (),
) -> str:
    """The page as text, to be written as UTF-8.

    ``standing`` is the current result, with points and comments given by hand, if there is one.
    ``executed`` is the notebook (nbformat 4) as it ran, None for a rejected file; its
    cells carry their number in metadata ``ag_number``. ``panels_after`` maps an
    exercise's id to the number of its last cell; exercises without such a cell get
    their panels in front of the notebook. The cells with numbers in ``given`` are folded.
    """
    body = _writer().page(feedback, executed, panels_after, given)
    return body if standing is None else restated(body, feedback, standing)


def restated(page: str, feedback: Feedback, standing: Standing) -> str:
    """An earlier page with the current result on top, and in each panel what graders add; all else
    is unchanged."""
    below = page.partition(BELOW)[2]  # above it, nothing from a student is markup
    return _writer().restated(below, feedback, standing)


class PageWriter:
    """Holds the templates, nbconvert's exporter and a cache of drawings; not thread-safe.
    Equal cells (the template's, in a class) are rendered once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._body: Body | None = None
        self._templates = environment()
        self._page = self._templates.get_template("page.html.j2")
        self._panel = self._templates.get_template(PANEL)
        self._restated = {k: self._templates.get_template(v) for k, v in RESTATED.items()}
        self._style = (TEMPLATES / "style.css").read_text(encoding="utf-8")

    def page(
        self,
        feedback: Feedback,
        executed: Mapping[str, Any] | None,
        panels_after: Mapping[str, int],
        given: Collection[int],
    ) -> str:
        """See ``feedback_page``."""
        with self._lock:
            notebook, present = _as_shown(executed, given) if executed is not None else (None, ())
            panels: dict[int, list[VerdictPanel]] = {}
            homeless: list[str] = []
            told = told_before(feedback.exercises)
            for exercise in feedback.exercises:
                panel = self._panel.render(
                    exercise=exercise, checked=None, counted=None, told=told[exercise.id]
                )
                after = panels_after.get(exercise.id, 0)
                if after in present:
                    verdict = VerdictPanel(
                        panel,
                        settled=exercise.blank or not exercise.to_look_at,
                        right=exercise.status is Status.PASSED,
                    )
                    panels.setdefault(after, []).append(verdict)
                else:
                    homeless.append(panel)
            body = self._below(notebook, panels, given) if notebook is not None else ""
            return self._whole(feedback, None, homeless, body)

    def restated(self, below: str, feedback: Feedback, standing: Standing) -> str:
        """A page with this part below the result. See ``restated``."""
        exercises = {exercise.id: exercise for exercise in feedback.exercises}
        places = {found[2] for found in _RESTATED.finditer(below)} & exercises.keys()
        view = counted(standing, feedback, beside=places)

        def today(found: re.Match[str]) -> str:
            what, name = found.groups()
            if (exercise := exercises.get(name)) is None:
                return found[0]
            part = self._restated[what].render(exercise=exercise, counted=view, checked=None)
            return f"<!--{what}: {name}-->\n{part}\n"

        with self._lock:
            above = self._whole(feedback, view, (), "").partition(BELOW)[0]
            return above + BELOW + _RESTATED.sub(today, below)

    def _whole(
        self, feedback: Feedback, view: StandingView | None, homeless: Sequence[str], body: str
    ) -> str:
        return self._page.render(
            feedback=feedback,
            counted=view,
            homeless=[Markup(panel) for panel in homeless],  # noqa: S704  escaped already
            notebook=Markup(body),  # noqa: S704  cleaned by the exporter's filters
            style=Markup(self._style),  # noqa: S704  our own file
        )

    def _below(
        self,
        notebook: NotebookNode,
        panels: Mapping[int, Sequence[VerdictPanel]],
        given: Collection[int],
    ) -> str:
        # importing nbconvert takes a second; a page that is only restated does not need it
        from autograder.reports.feedback.page_body import body_of_notebooks, in_order  # noqa: PLC0415

        self._body = self._body or body_of_notebooks()
        frames = framed(notebook["cells"], panels, given)
        return in_order(self._body.body(notebook, frames))


def _as_shown(
    executed: Mapping[str, Any], given: Collection[int]
) -> tuple[NotebookNode, Collection[int]]:
    """The notebook of the page, and the numbers of the submission's cells in it."""
    from autograder.reports.feedback.cells import cell_numbers, page_notebook  # noqa: PLC0415  nbformat

    notebook = page_notebook(executed, plain=given)
    return notebook, cell_numbers(notebook) - {0}


@functools.cache
def _writer() -> PageWriter:
    return PageWriter()
