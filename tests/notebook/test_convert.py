"""The process in which jupytext reads: what it answers, and that nothing can hold it up."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

from autograder.notebook.formats import convert
from autograder.notebook.formats.convert import ReaderLimits, converted
from autograder.notebook.formats.converter import cells
from autograder.notebook.formats.read import read

RMD = {"extension": ".Rmd", "form": "rmarkdown"}
ENDLESS = "a\n\n\n" * 80_000  # so many cells that jupytext takes half a minute, or longer


def test_each_text_has_an_answer_of_its_own() -> None:
    texts = ['```{python exercise="first"}\n```', "```{python a)}\n```", "\n\n# Title \ud800"]
    answers = converted(texts, **RMD)
    assert answers is not None
    first, second, third = answers
    assert isinstance(first, list) and first[0]["metadata"]["exercise"] == "first"
    assert second is None  # jupytext raises on it; the others are none the worse
    assert isinstance(third, list) and third[-1]["cell_type"] == "markdown"


def test_whatever_jupytext_raises_costs_one_text() -> None:
    form = {"extension": ".Rmd", "format_name": "rmarkdown"}
    assert cells("```{python (}\n```", form) is None
    assert cells("---\na: [\n---\n", {"extension": ".md", "format_name": "myst"}) is None
    assert cells("# coding: latin-1", {"extension": ".py", "format_name": "light"}) is None


def test_it_ends_by_the_clock() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert converted([ENDLESS], **RMD, limits=ReaderLimits(cpu_s=12, wall_s=1)) is None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime - before.ru_utime < 11


def test_its_memory_is_limited() -> None:
    texts = ["\n\n" + "a " * 2_000_000]
    assert converted(texts, **RMD) not in (None, [None])
    assert converted(texts, **RMD, limits=ReaderLimits(memory_mb=75)) in (None, [None])


def test_what_it_writes_is_limited() -> None:
    texts = ["\n\n" + "a " * 1_000_000]
    assert converted(texts, **RMD, limits=ReaderLimits(output_mb=1)) is None


@pytest.mark.parametrize(
    "said",
    [
        "print('[]')",
        "print('{}')",
        "print('')",
        "print('[' * 100_000)",
        "print('[[')",
        "print('[[]]'); raise SystemExit(1)",
        "import os; os.abort()",
    ],
)
def test_an_answer_that_does_not_fit_is_none(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "_BOOT", said)
    assert converted(["a"], **RMD) is None


def test_what_answers_is_believed_about_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = [
        None,
        5,
        "a",
        {},
        [5],
        [None],
        [{}],
        [{"metadata": 5}],
        [{"cell_type": "code"}],
        [{"metadata": {"exercise": ["a"], "locked": 1}, "source": 5}],
    ]
    for answer in odd:
        said = f"print({json.dumps(json.dumps([answer, answer]))})"
        monkeypatch.setattr(convert, "_BOOT", said)
        submission = read(Path("a.Rmd"), data=b"Text\n\n```{python}\nx = 1\n```\n")
        assert [c.source for c in submission.cells if c.kind == "code"] == ["x = 1"]


def test_a_hostile_file_is_read_without_the_converter(monkeypatch: pytest.MonkeyPatch) -> None:
    def soon(texts: list[str], *, extension: str, form: str) -> list[object] | None:
        return converted(texts, extension=extension, form=form, limits=ReaderLimits(cpu_s=2))

    monkeypatch.setattr("autograder.notebook.formats.markdown.converted", soon)
    text = f'{ENDLESS}```{{python exercise="first"}}\nx = 1\n```\n'
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    submission = read(Path("a.Rmd"), data=text.encode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime - before.ru_utime < 6
    assert [(c.kind, c.exercise) for c in submission.cells] == [("markdown", ""), ("code", "first")]
    assert "stopped" in submission.repairs[0]
