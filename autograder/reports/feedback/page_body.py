"""The body of a feedback page: the cells as nbconvert shows them, cleaned, with panels between.

Separate from ``page``, which is restated after every decision and then keeps its body.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import FileSystemLoader
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from traitlets.config import Config

from autograder.errors import UsageError
from autograder.gradebook.visible import visible
from autograder.reports.feedback.cleaning import Cleaning
from autograder.reports.feedback.panel import TEMPLATES

MARKDOWN_LIMIT = 20_000
FORMULAS_LIMIT = 100  # beginnings of displayed formulas: the end of each is searched for
REMEMBERED = 512
DEEPEST = 6  # the level of the smallest heading
_FORMULA = re.compile(r"\\begin\{|\\\\?[(\[]")
_HEADING = re.compile(
    r'<h(?:([3-6])>|3 (id="title-))'
)  # the latter is a panel's: students' HTML has no ids
_CAUSE = '<div class="cause">'  # a heading inside a panel follows: students' HTML has no classes


def in_order(body: str) -> str:
    """A notebook's HTML without skipped heading levels: each panel is one level below the
    student's last heading. The appearance does not change."""
    last = 2  # the page's own heading above

    def level(found: re.Match[str]) -> str:
        nonlocal last
        number, panel = found.groups()
        if panel:
            return f'<h3 aria-level="{min(last + 1, DEEPEST)}" {panel}'
        if body.endswith(_CAUSE, 0, found.start()):
            return f'<h{number} aria-level="{min(last + 2, DEEPEST)}">'
        wanted, last = int(number), min(int(number), last + 1)
        return f"<h{number}>" if wanted == last else f'<h{number} aria-level="{last}">'

    return _HEADING.sub(level, body)


def scrolling(clean: str) -> str:
    """Inert HTML, in which tags are bare, with wide parts that the keyboard can scroll."""
    made = clean.replace("<pre>", '<pre tabindex="0">').replace("</table>", "</table></div>")
    return made.replace("<table>", '<div tabindex="0"><table>')


class Body(HTMLExporter):  # type: ignore[misc]
    """nbconvert's HTML of the cells alone.

    It leaves out the second parse of the whole page, by which ``HTMLExporter`` adds missing
    descriptions to images: every image here has one, and the parse costs more than the rest.
    """

    def body(self, notebook: NotebookNode, panels: Mapping[int, str]) -> str:
        resources = self._init_resources({"panels": panels})
        return str(TemplateExporter.from_notebook_node(self, notebook, resources)[0])


def body_of_notebooks() -> Body:
    """The body exporter, tried once; raises ``UsageError`` where its own templates are missing."""
    try:
        exporter = Body(
            template_name="basic",
            template_file="notebook.html.j2",
            extra_loaders=[FileSystemLoader(TEMPLATES)],
            sanitize_html=True,
            default_preprocessors=[],
            config=Config({"CSSHTMLHeaderPreprocessor": {"enabled": False}}),  # our own style
            filters=_filters(),
        )
        exporter.body(new_notebook(), {})
    except ValueError as bad:
        raise UsageError(
            "feedback pages need the templates of nbconvert, which are missing where this Python "
            f"looks for them; reinstall nbconvert in this environment ({str(bad)[:200]})"
        ) from None
    return exporter


def _kinds(data: Mapping[str, str]) -> list[str]:
    """nbconvert's templates want this filter; ``cells`` leaves one kind in each output anyway."""
    return list(data)


def _filters() -> dict[str, Callable[..., Any]]:
    """The filters that the notebook template uses on what comes from students."""
    cleaning = Cleaning()
    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    markdown = MarkdownWithMath(renderer=renderer)
    # not "ipython3", whose lexer takes seconds for a cell of dots
    colours = Highlight2HTML("python3", extra_formatter_options={"nowrap": True})

    def html_or_text(markup: str, plain: str) -> str:
        """Inert HTML, or the plain text when nothing visible is left of it."""
        clean = cleaning.clean(markup)
        seen = clean is not None and ("<img" in clean or bool(Markup(clean).striptags()))  # noqa: S704
        return (
            # guard: wide parts can be reached by key
            scrolling(clean) if clean is not None and seen else f"<pre>{html.escape(plain)}</pre>"
        )

    @functools.lru_cache(REMEMBERED)
    def markdown_or_text(source: str) -> str:
        # guard: formulas of one text
        if len(source) > MARKDOWN_LIMIT or len(_FORMULA.findall(source)) > FORMULAS_LIMIT:
            return f"<pre>{html.escape(visible(source))}</pre>"
        try:
            markup = markdown.render(source.replace("](attachment:", "](removed:"))
        except Exception:  # noqa: BLE001  a student's text may trip the Markdown parser
            markup = ""
        return html_or_text(markup, visible(source))

    @functools.lru_cache(REMEMBERED)
    def code(source: str) -> str:
        return str(colours(source))

    return {
        "student_html": html_or_text,
        "student_markdown": markdown_or_text,
        "highlight_code": code,
        "filter_data_type": _kinds,
    }
