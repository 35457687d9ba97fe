"""Shows formulas of Markdown texts as MathML, which browsers draw without any script.

Formulas are translated from TeX after the text around them is clean: a mark that no student can
know is in their place until then.

Covered: commands that are unknown or wrong, deep and long formulas (they are shown as they were
written), markup and addresses in formulas, and the time that all formulas of a text take.
Not covered: macros that a text defines itself.
"""

from __future__ import annotations

import html
import re
import secrets
from typing import Any

import nh3
from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer

from autograder.gradebook.visible import visible

FORMULA_LIMIT = 1_000  # characters of one formula
TEXT_LIMIT = 4_000  # of all formulas of a text: a thousand may take a tenth of a second

_TAGS = (
    "math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover"
)
_ATTRIBUTES = {
    "math": {"display"},
    "mfrac": {"linethickness"},
    "mi": {"mathvariant"},
    "mo": {"fence", "form", "lspace", "maxsize", "minsize", "rspace", "separator", "stretchy"},
    "mover": {"accent"},
    "mspace": {"linebreak", "width"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mtable": {"columnalign"},
    "mtd": {"columnalign"},
}
_PLAIN = re.compile(r"[A-Za-z0-9.%+\- ]{1,40}")


class FormulaRenderer(IPythonRenderer):  # type: ignore[misc]
    """Renders Markdown with marks in place of formulas; ``finished`` puts the formulas there."""

    def __init__(self) -> None:
        super().__init__(escape=False, exclude_anchor_links=True)
        self._cleaner = nh3.Cleaner(
            tags=set(_TAGS.split()), attributes=_ATTRIBUTES, attribute_filter=_allowed
        )
        self.begin()

    def begin(self) -> None:
        """Forget the formulas of the text before."""
        self._secret = f"formula{secrets.token_hex(8)}n"
        self._shown: list[str] = []
        self._left = TEXT_LIMIT

    def inline_math(self, body: str) -> str:
        return self._mark(body, f"${body}$", "inline")

    def block_math(self, body: str) -> str:
        return self._mark(body, f"$${body}$$", "block")

    def latex_environment(self, name: str, body: str) -> str:
        whole = rf"\begin{{{name}}}{body}\end{{{name}}}"
        return self._mark(whole, whole, "block")

    def finished(self, clean: str) -> str:
        """The cleaned text with its formulas."""
        return re.sub(rf"{self._secret}(\d+)n", lambda found: self._shown[int(found[1])], clean)

    def _mark(self, tex: str, written: str, display: str) -> str:
        self._left -= len(tex)
        shown = self._mathml(tex.strip(), display) if self._left >= 0 else ""
        self._shown.append(shown or f"<code>{html.escape(visible(written))}</code>")
        return f"{self._secret}{len(self._shown) - 1}n"

    def _mathml(self, tex: str, display: Any) -> str:
        """A formula as MathML; "" if it cannot be translated."""
        if len(tex) > FORMULA_LIMIT:
            return ""
        try:
            made = convert(tex, display=display)
        except Exception:  # noqa: BLE001  whatever a student's formula does to the translation
            return ""
        return visible(self._cleaner.clean(made))


def _allowed(tag: str, attribute: str, value: str) -> str | None:
    return value if _PLAIN.fullmatch(value) else None
