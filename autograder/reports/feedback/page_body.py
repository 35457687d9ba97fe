"""The body of a feedback page: the cells as nbconvert shows them, cleaned, with panels between.

Separate from ``page``, which is restated after every decision and then keeps its body.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jinja2 import FileSystemLoader
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from pygments import highlight
from pygments.filter import Filter
from pygments.filters import TokenMergeFilter
from pygments.formatters import HtmlFormatter
from pygments.lexers import Python3Lexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token
from traitlets.config import Config

from autograder.errors import UsageError
from autograder.gradebook.visible import visible
from autograder.reports.feedback.arrangement import END_OF_FOLD, Frames
from autograder.reports.feedback.cleaning import Cleaning
from autograder.reports.feedback.formulas import FormulaRenderer
from autograder.reports.feedback.panel import TEMPLATES

MARKDOWN_LIMIT = 20_000
FORMULAS_LIMIT = 100  # beginnings of displayed formulas: the end of each is searched for
REMEMBERED = 512
_FORMULA = re.compile(r"\\begin\{|\\\\?[(\[]")
# a panel's headings have an id or a class, which students' HTML has not
_HEADING = re.compile(rf'<h([3-6])(?=([ >]))|(<details class="fold(?: own)?">)|{END_OF_FOLD}')
_COLOURS = (
    Name.Function,
    Name.Class,
    Name.Decorator,
    Name.Builtin,
    Keyword,
    Operator.Word,
    String,
    Number,
    Comment,
)


def in_order(body: str) -> str:
    """A notebook's HTML without skipped heading levels, whether a fold is open or closed. The
    appearance does not change."""
    last = outside = 2  # the page's own heading above

    def level(found: re.Match[str]) -> str:
        nonlocal last, outside
        number, end, fold = found.groups()
        if fold:
            outside = last
            return fold
        if not number:
            last = min(last, outside)
            return found[0]
        wanted, last = int(number), min(int(number), last + 1)
        if end == " " or wanted == last:
            last = wanted
            return found[0]
        return f'<h{number} aria-level="{last}"'

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

    def body(self, notebook: NotebookNode, frames: Frames) -> str:
        resources = self._init_resources({"frames": frames})
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
        exporter.body(new_notebook(), Frames())
    except ValueError as bad:
        raise UsageError(
            "feedback pages need the templates of nbconvert, which are missing where this Python "
            f"looks for them; reinstall nbconvert in this environment ({str(bad)[:200]})"
        ) from None
    return exporter


@functools.cache
def markdown_filter() -> Callable[[str], str]:
    """The function that makes a student's Markdown inert HTML; not thread-safe."""
    found: Callable[[str], str] = _filters()["student_markdown"]
    return found


class _Coloured(Filter):  # type: ignore[misc]
    """Keeps the kinds of tokens that the style sheet colours; the others get no element."""

    def filter(self, lexer: object, stream: Iterable[tuple[Any, str]]) -> Iterator[tuple[Any, str]]:
        for kind, text in stream:
            yield next((one for one in _COLOURS if kind in one), Token), text


def _kinds(data: Mapping[str, str]) -> list[str]:
    """nbconvert's templates want this filter; ``cells`` leaves one kind in each output anyway."""
    return list(data)


def _filters() -> dict[str, Callable[..., Any]]:
    """The filters that the notebook template uses on what comes from students."""
    cleaning = Cleaning()
    renderer = FormulaRenderer()
    markdown = MarkdownWithMath(renderer=renderer)
    lexer = Python3Lexer()  # IPython's takes seconds for a cell of dots
    lexer.add_filter(_Coloured())
    lexer.add_filter(TokenMergeFilter())
    formatter = HtmlFormatter(nowrap=True)

    def html_or_text(markup: str, plain: str) -> str:
        """Inert HTML, or the plain text when nothing visible is left of it."""
        clean = cleaning.clean(markup)
        seen = clean is not None and ("<img" in clean or bool(Markup(clean).striptags()))  # noqa: S704
        return (
            # Wide parts can be reached by key.
            scrolling(clean) if clean is not None and seen else f"<pre>{html.escape(plain)}</pre>"
        )

    @functools.lru_cache(REMEMBERED)
    def markdown_or_text(source: str) -> str:
        if len(source) > MARKDOWN_LIMIT or len(_FORMULA.findall(source)) > FORMULAS_LIMIT:
            return f"<pre>{html.escape(visible(source))}</pre>"
        renderer.begin()
        try:
            markup = markdown.render(source.replace("](attachment:", "](removed:"))
        except Exception:  # noqa: BLE001  a student's text may trip the Markdown parser
            markup = ""
        return renderer.finished(html_or_text(markup, visible(source)))

    @functools.lru_cache(REMEMBERED)
    def code(source: str) -> str:
        return str(highlight(source, lexer, formatter))

    return {
        "student_html": html_or_text,
        "student_markdown": markdown_or_text,
        "highlight_code": code,
        "filter_data_type": _kinds,
    }
