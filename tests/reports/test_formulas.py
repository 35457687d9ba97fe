"""Formulas in Markdown texts: shown as MathML, inert, and cheap whatever a student writes."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

from autograder.reports.feedback.formulas import FORMULA_LIMIT, TEXT_LIMIT
from autograder.reports.feedback.page_body import markdown_filter

WORDS = (
    r"\frac { } x ^ _ \left( \right) \begin{matrix} \end{matrix} & \\ \sqrt [ ] \text{a} \over "
    r"\choose \hat \sum \limits ' \operatorname \middle| \substack \overset \unknown < > \" "
    r"\href{javascript:f()}{x} \style{color:red}{x} \color{red} \text{<img/src=x/onerror=f()>} "
    r"<script> </math> \class{a}{x} \cssId{a}{x} \data{x=y}{z}"
).split()
ALLOWED = re.compile(
    r"</?(?:p|code|em|math|menclose|mfrac|mi|mn|mo|mover|mpadded|mphantom|mroot|mrow|mspace|msqrt"
    r"|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover)"
    r"(?: (?:display|linethickness|mathvariant|fence|form|lspace|maxsize|minsize|rspace|separator"
    r"|stretchy|accent|linebreak|width|displaystyle|scriptlevel|columnalign)"
    r'="[A-Za-z0-9.%+\- ]*")*>'
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("$x^2$", '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'),
        (r"$$\frac{a}{b}$$", "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"),
        (r"\begin{align}a&=b\end{align}", '<mtd columnalign="left">'),
        ("| a |\n|---|\n| $x$ |", '<td><math display="inline"><mrow><mi>x</mi></mrow></math></td>'),
        ("`$x$` costs $5", "<code>$x$</code> costs $5"),
        (r"see $\frac{$ there", r"see <code>$\frac{$</code> there"),
        ("$a < b$", "<mo>&lt;</mo>"),
    ],
)
def test_a_formula_is_shown(text: str, shown: str) -> None:
    assert shown in markdown_filter()(text)


def test_no_formula_brings_anything_else_into_a_page() -> None:
    rng = random.Random(1)
    for _ in range(400):
        tex = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 12)))
        page = markdown_filter()(f"${tex}$")
        left = ALLOWED.sub("", page)
        assert "<" not in left and ">" not in left, (tex, page)
        ElementTree.fromstring(f"<div>{page}</div>")


def test_a_long_formula_is_shown_as_written() -> None:
    tex = "x" * (FORMULA_LIMIT + 1)
    assert markdown_filter()(f"${tex}$") == f"<p><code>${tex}$</code></p>\n"
    many = " ".join([f"${'y' * 500}$"] * (TEXT_LIMIT // 500 + 2))
    assert markdown_filter()(many).count("<code>") == 2


@pytest.mark.parametrize("tex", [r"\frac" * 199, "{" * 999, "x_{" * 250, r"\hat" * 240])
def test_what_cannot_be_translated_is_shown_as_written(tex: str) -> None:
    assert markdown_filter()(f"${tex}$") == f"<p><code>${tex}$</code></p>\n"


def test_nobody_can_write_the_mark_of_a_formula() -> None:
    page = markdown_filter()("formula0000000000000000n0n $x$")
    assert "formula0000000000000000n0n" in page and page.count("<math") == 1
