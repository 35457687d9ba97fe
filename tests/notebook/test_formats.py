"""Notebooks kept as text: scripts, R Markdown, Quarto, Markdown, each under any name."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest

from autograder.errors import SubmissionError
from autograder.notebook.formats import markdown
from autograder.notebook.formats.find import find, read_found
from autograder.notebook.formats.header import Header, read_header
from autograder.notebook.formats.paragraphs import split_paragraphs
from autograder.notebook.formats.read import MAX_TEXT, read
from autograder.notebook.structure.names import parse
from autograder.notebook.submission import Submission, TemplateStamp
from tests.support.effort import costs_at_most
from tests.support.notebook_json import converted_here, read_data, refusal, sample, samples

ROOT = Path(__file__).resolve().parents[2]
SOLUTION = ROOT / "solutions" / "embeddings-and-position" / "solution.py"


def read_as(name: str, text: str) -> Submission:
    return read_data(text, name=name)


def refused(name: str, text: str) -> str:
    return refusal(text, name=name)


def shown(submission: Submission) -> list[tuple[str, str]]:
    return [(cell.kind, cell.source) for cell in submission.cells]


def code(submission: Submission) -> list[tuple[str, str, bool]]:
    return [(c.source, c.exercise, c.locked) for c in submission.cells if c.kind == "code"]


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "converted", converted_here)


# ---------------------------------------------------------------- from format to format


def flagship() -> nbformat.NotebookNode:
    made = jupytext.reads(SOLUTION.read_text(), fmt="py:percent")
    for cell in made.cells:
        cell.metadata.pop("lines_to_next_cell", None)
    made.metadata["autograder"] = {"assignment": "a", "format": 1, "version": "0123456789ab"}
    made.metadata["jupytext"] = {
        "notebook_metadata_filter": "autograder,kernelspec,jupytext",
        "cell_metadata_filter": "all",
    }
    return made


FORMATS: list[tuple[Any, str]] = [
    ("ipynb", "a.ipynb"),
    ("py:percent", "a.py"),
    ("py:hydrogen", "a.py"),
    ("py:light", "a.py"),
    ({"extension": ".py", "format_name": "light", "cell_markers": "region,endregion"}, "a.py"),
    ({"extension": ".py", "format_name": "light", "cell_markers": "{{{,}}}"}, "a.py"),
    ("Rmd", "a.Rmd"),
    ("md", "a.md"),
    ("md:myst", "a.md"),
]


@pytest.mark.parametrize(("form", "name"), FORMATS)
def test_the_flagship_survives_every_format(form: Any, name: str) -> None:
    """In all of them cells, tags and the stamp come back, and no repair is needed."""
    before, text = read(SOLUTION), jupytext.writes(flagship(), fmt=form)
    after = read_as(name, text)
    assert code(after) == code(before)
    assert shown(after) == shown(before)
    assert after.stamp == TemplateStamp("a", "0123456789ab")
    assert after.repairs == ()


def test_old_nbformats_of_the_flagship_keep_cells_and_tags() -> None:
    before, made = read(SOLUTION), flagship()
    oldest = read_as("a.ipynb", nbformat.writes(nbformat.convert(flagship(), 3), 3))
    assert code(oldest) == code(before)
    assert "old format 3" in oldest.repairs[0]
    for cell in made.cells:
        del cell["id"]
    made.nbformat_minor = 2
    assert code(read_as("a.ipynb", nbformat.writes(made, nbformat.NO_CONVERT))) == code(before)


def test_without_any_marks_nothing_of_the_flagships_code_is_lost() -> None:
    text = jupytext.writes(flagship(), fmt={"extension": ".py", "format_name": "nomarker"})
    before, after = read(SOLUTION), read_as("a.py", text)
    squeezed = ["".join(c[0] for c in code(s)).replace("\n", "") for s in (before, after)]
    assert squeezed[0] == squeezed[1]
    assert all(parse(source) is not None for source, _, _ in code(after))
    assert len(code(after)) >= len(code(before))


CELLS, TEXTS = samples("cells"), samples("texts")


def some_notebook(seed: int) -> nbformat.NotebookNode:
    rng, new = random.Random(seed), nbformat.v4
    made = new.new_notebook()
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "P", "language": "python"}
    made.cells.append(new.new_code_cell("start = 1"))
    for _ in range(rng.randint(1, 8)):
        metadata: dict[str, Any] = {"exercise": "first"} if rng.random() < 0.3 else {}
        metadata |= {"locked": True, "tags": ["a", "b"]} if rng.random() < 0.2 else {}
        if rng.random() < 0.7:
            made.cells.append(new.new_code_cell(rng.choice(CELLS).strip(), metadata=metadata))
        else:
            made.cells.append(new.new_markdown_cell(rng.choice(TEXTS), metadata=metadata))
    if rng.random() < 0.2:
        made.cells.append(new.new_raw_cell("raw\n\ntext"))
    return made


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    ("form", "name"), [("py:light", "a.py"), ("Rmd", "a.Rmd"), ("py:percent", "a.py")]
)
def test_what_jupytext_writes_is_read_cell_by_cell(form: str, name: str) -> None:
    for seed in range(120):
        made = some_notebook(seed)
        text = jupytext.writes(made, fmt=form)
        assert code(read_as(name, text)) == [
            (cell.source, cell.metadata.get("exercise", ""), cell.metadata.get("locked", False))
            for cell in made.cells
            if cell.cell_type == "code"
        ], text


# ---------------------------------------------------------------- the light format

LIGHT = sample("light")


def test_the_light_format_is_read_cell_by_cell_with_tags_and_stamp() -> None:
    submission = read_as("student-01.py", LIGHT)
    assert [(c.kind, c.source, c.exercise, c.locked) for c in submission.cells] == [
        ("markdown", "# Title\ntext", "", False),
        ("code", "import torch", "", False),
        ("code", 'x = """\n\n# - not here, but what follows is an end mark', "first", True),
        ("code", "# copy the weights\ny = 1", "", False),
        ("code", "if y:\n    a = 1\n\nelse:\n    a = 2", "", False),
        ("markdown", "**größer**", "second", False),
        ("code", "z = 1\n\n%matplotlib inline\nw = 2", "third", False),
        ("code", "%%bash\nls", "", False),
        ("code", "only_there = 1", "", False),
        ("raw", "raw", "", False),
        ("code", "u = 1\n# -\nv = 2", "", False),
        ("code", "t = 1", "", False),
    ]
    assert submission.stamp == TemplateStamp("embedding-layer", "012345678901")
    assert submission.repairs == ()


def test_marks_are_enough_without_a_header_and_comments_are_no_marks() -> None:
    text = '# +\nx = 1\n\ny = 2\n# -\n\n# + 3 of them\nz = 3\n# + exercise="first"\nw = 4\n'
    assert code(read_as("a.py", text)) == [
        ("x = 1\n\ny = 2", "", False),
        ("# + 3 of them\nz = 3", "", False),
        ("w = 4", "first", False),
    ]
    plain = "# + 3 of them\nz = 3\n\ny = 1\n"
    assert "each paragraph" in read_as("a.py", plain).repairs[0]


def test_regions_are_cells_where_they_say_something_and_foldings_else() -> None:
    cells = '# region exercise="first"\nx = 1\n\ny = 2\n# endregion\n\nz = 3\n'
    made = code(read_as("a.py", cells))
    assert made == [("x = 1\n\ny = 2", "first", False), ("z = 3", "", False)]
    folded = "# region helpers\nx = 1\n\ny = 2\n# endregion\n"
    assert [source for source, _, _ in code(read_as("a.py", folded))] == [
        "# region helpers\nx = 1",
        "y = 2\n# endregion",
    ]


def test_percent_marks_win_over_light_ones_unless_the_header_says_light() -> None:
    text = '# %%\nx = 1\n\n# + a=1\ny = 2\n\n# %% exercise="first"\nz = 3\n'
    assert len(read_as("a.py", text).cells) == 2
    assert len(read_as("a.py", LIGHT + "\n# %% a comment\n").cells) == 13


# ---------------------------------------------------------------- plain scripts


def test_what_colab_downloads_as_a_script_is_read_cell_by_cell() -> None:
    submission = read_as("student-01.py", sample("colab"))
    kinds = [cell.kind for cell in submission.cells]
    assert kinds == ["code", "code", "code", "markdown", *["code"] * 5]
    sources = [cell.source for cell in submission.cells]
    assert sources[0].startswith('# -*- coding: utf-8 -*-\n"""student-01.ipynb')
    assert sources[1] == "%%capture\n# Install what is needed\n!pip install -q torch\n\nsize = 4"
    assert sources[2].split("\n")[1:] == ["import torch", "%tensorflow_version 2.x"]
    assert sources[3] == "## Exercise 1\n\nIt's a table:\n\n* Größen"
    assert sources[4] == "embedding = torch.nn.Embedding(10, 4)"
    assert sources[5].endswith("# otherwise\n\nelse:\n    a = 2")
    assert sources[6] == '!ls "here'
    assert sources[7].startswith("#@title") and sources[7].endswith("return [\n\n1]")
    assert sources[8] == "@torch.no_grad()\n\ndef g(): pass"
    assert len(submission.repairs) == 1


def test_one_bad_paragraph_costs_no_other_one() -> None:
    for bad in ("x = (1, 2", "x = 'open", "def f(:", 'x = """open', "))", "x = [{("):
        text = f"a = 1\n\n{bad}\n\nb = 2\n\ndef g():\n    '''It is\n\n    told.'''\n\nc = 3\n"
        sources = [source for source, _, _ in code(read_as("a.py", text))]
        assert sources[0] == "a = 1"
        assert {"b = 2", "c = 3"} <= set(sources), bad
        assert any("def g" in source and "told" in source for source in sources)


def test_text_cells_stay_whole_beside_a_quote_that_never_closes() -> None:
    text = 'a = 1\n\n"""# Title\n\nx = 3 is meant.\n"""\n\ndef f():\n    """Open\n\nb = 2\n\n'
    text += '"""One line, x = 4."""\n\nc = 3\n'
    assert shown(read_as("a.py", text)) == [
        ("code", "a = 1"),
        ("markdown", "# Title\n\nx = 3 is meant."),
        ("code", 'def f():\n    """Open'),
        ("code", "b = 2"),
        ("markdown", "One line, x = 4."),
        ("code", "c = 3"),
    ]


STATEMENTS = samples("statements")


def test_no_statement_is_ever_cut_and_no_line_is_lost() -> None:
    assert all(parse(one) is not None for one in STATEMENTS)
    for seed in range(300):
        rng = random.Random(seed)
        text = ("\n" * rng.randint(1, 3)).join(rng.choices(STATEMENTS, k=rng.randint(1, 12)))
        if parse(text) is None:  # two of them together may be none
            continue
        blocks = split_paragraphs(text.split("\n"))
        assert all(parse("\n".join(block)) is not None for block in blocks), text
        lines = [line for block in blocks for line in block if line.strip()]
        assert lines == [line for line in text.split("\n") if line.strip()]


def test_a_script_of_very_many_paragraphs_is_one_cell() -> None:
    submission = read_as("a.py", "x = 1\n\n" * 5_001)
    assert len(submission.cells) == 1
    assert "one cell" in submission.repairs[0]
    assert len(read_as("a.py", "x = 1\n\n" * 5_000).cells) == 5_000


MERGE = "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> theirs"
GOOD = ("def first(x):\n    return (x, [1, 2])", 'text = """several\nlines"""', "third = {1: 'a'}")


def spoilt_cells() -> list[str]:
    """Marks of a merge, and good code that is cut off anywhere."""
    cut = {code[:at].rstrip() for code in GOOD for at in range(1, len(code))}
    wrong = [text for text in sorted(cut) if parse(text) is None]
    return [MERGE, MERGE[:20], MERGE[-14:], *wrong]


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("form", ["ipynb", "py:percent", "py:light", "Rmd", "md", "md:myst"])
def test_a_cell_that_is_no_python_costs_itself_in_every_format(form: str) -> None:
    several = spoilt_cells()
    if form in ("Rmd", "md", "md:myst"):  # jupytext takes its time
        several = [*several[::15], 'text = """several']
    for bad in several:
        whole = [*GOOD[:2], bad, GOOD[2]]
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in whole])
        made.metadata["kernelspec"] = {"name": "python3", "language": "python", "display_name": "3"}
        submission = read_as(f"a.{form.split(':')[0]}", jupytext.writes(made, form))
        assert [cell.source for cell in submission.cells] == whole
        told = [note for note in submission.repairs if "merge conflict" in note]
        assert told == [one for one in told if bad in MERGE and one.startswith("Cell 3: ")]
        assert bool(told) == (bad in MERGE)


def test_marks_of_a_merge_within_a_string_are_no_marks() -> None:
    submission = read_as("a.py", f'# %%\ntext = """\n{MERGE}\n"""\n')
    assert submission.repairs == () and len(submission.cells) == 1


# ---------------------------------------------------------------- R Markdown and Quarto

RMD = sample("rmd")


@pytest.mark.usefixtures("in_process")
def test_r_markdown_is_read_fence_by_fence_and_the_same_each_time() -> None:
    submission = read_as("student-01.Rmd", RMD)
    assert submission == read_as("student-01.Rmd", RMD)
    made = [(c.kind, c.source, c.exercise, c.locked) for c in submission.cells]
    assert [cell for cell in made if cell[0] != "markdown"] == [
        ("code", 'x = """', "first", True),
        ("code", "# copy the weights\n%matplotlib inline\ny = 1", "second", False),
        ("raw", "z <- 1", "", False),
        ("code", "z = 1", "third", False),
        ("code", "never_ends = 1", "", False),
    ]
    text = "\n".join(cell.source for cell in submission.cells if cell.kind == "markdown")
    assert all(part in text for part in ("Größe.", "shown = 1", "shown = 2"))
    (repair,) = submission.repairs
    assert "another language and was not run" in repair


def test_without_the_converter_fences_and_tags_are_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(markdown, "converted", lambda *_, **__: None)
    submission = read_as("student-01.Rmd", RMD)
    assert [tag for _, tag, _ in code(submission)] == ["first", "second", "third", ""]
    assert "stopped" in submission.repairs[0]
    assert "cannot be read" in refused("a.md", "```python\nx = 1\n```\n")


@pytest.mark.usefixtures("in_process")
def test_quarto_options_are_read_from_the_lines_where_quarto_puts_them() -> None:
    text = (
        "---\ntitle: A\njupyter: python3\n---\n\n```{python}\n#| exercise: first\n"
        "#| locked: true\n#| echo: false\n# !not a magic here\nx = 1\n```\n"
    )
    submission = read_as("student-01.qmd", text)
    assert code(submission) == [("#| echo: false\n# !not a magic here\nx = 1", "first", True)]
    assert submission.repairs == ()


def test_a_file_whose_code_is_all_for_another_engine_is_refused_by_name() -> None:
    text = "# A\n\n```{r}\nx <- 1\n```\n\n```{julia}\ny = 1\n```\n"
    assert "its cells are written for julia, r." in refused("a.Rmd", text)
    assert len(refused("a.Rmd", f"```{{{'x' * 4_000}}}\n```\n")) < 300
    assert "Python kernel" in refused("a.qmd", "---\njupyter: julia-1.9\n---\n```{python}\n```\n")
    assert "has code" in refused("a.Rmd", "# Only text\n")


def test_the_limits_hold_for_every_text_format(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.py", "a.Rmd", "a.qmd", "a.md"):
        assert f"{MAX_TEXT:,} bytes" in refused(name, "#" * (MAX_TEXT + 1))
        assert "is empty" in refused(name, "\ufeff\n")
    assert "5,001 cells" in refused("a.py", "# + a=1\n" * 6_000)
    monkeypatch.setattr(markdown, "converted", None)  # jupytext is not asked
    assert "5,001 cells" in refused("a.Rmd", "```{python}\n```\n" * 6_000)


# ---------------------------------------------------------------- names that promise another format


@pytest.mark.usefixtures("in_process")
def test_a_file_is_read_as_what_it_holds() -> None:
    percent, light = "# %%\nx = 1\n", '# + exercise="first"\nx = 1\n'
    rmd = "Text\n\n```{python}\nx = 1\n```\n"
    whole = '{"cells": [{"cell_type": "code", "source": "x = 1"}], "nbformat": 4}'
    for name, text, words in (
        ("a.ipynb", percent, "ends in .ipynb, but the file contains a script with '# %%' markers"),
        ("a.ipynb", light, "contains a script in the light format"),
        ("a.ipynb", rmd, "contains an R Markdown notebook"),
        ("a.ipynb.txt", percent, "ends in .txt, but the file contains"),
        ("a.Rmd", percent, "ends in .Rmd, but the file contains"),
        ("a.Rmd", whole, "ends in .Rmd, but the file contains a notebook"),
        ("a.py", whole, "ends in .py, but the file contains a notebook"),
        ("a.md", whole, "ends in .md, but the file contains a notebook"),
    ):
        submission = read_as(name, text)
        assert [c.source for c in submission.cells if c.kind == "code"] == ["x = 1"]
        assert words in submission.repairs[0]
    assert read_as("a.qmd", rmd).repairs == ()
    assert "damaged JSON" in refused("a.ipynb", "x = 1\n")
    assert "damaged JSON" in refused("a.ipynb", "x = 1\n" * 1_000_000)


# ---------------------------------------------------------------- headers


def test_a_header_is_looked_at_line_by_line_and_never_loaded() -> None:
    bomb = "".join(f"# a{at}: &a{at} [{f'*a{at - 1}, ' * 9}]\n" for at in range(1, 40))
    kernel = "# jupyter:\n#   kernelspec:\n#     name: ir\n"
    text = f"# ---\n# a0: &a0 [x]\n{bomb}{kernel}# ---\n# %%\nx"
    with costs_at_most(1):
        assert "Python kernel" in refused("a.py", text)


REGIONS = "# ---\n# jupyter:\n#   jupytext:\n#     cell_markers: region,endregion\n# ---"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("# ---\n# jupyter:\n#   kernelspec:\n#     name: 'p'\n# ---", Header(end=5, kernel="p")),
        (
            "#!/x\n# coding: a\n# ---\n# kernelspec:\n#  language: R\n# ---",
            Header(end=6, language="R"),
        ),
        (REGIONS, Header(end=5, markers="region,endregion")),
        ("# ---\n# name: p\n# kernelspec: {name: p}\n# ---", Header(end=4)),
        ("x = 1\n# ---\n# ---", Header()),
        ("# ---\n" + "# a: b\n" * 300 + "# ---", Header()),
        ("", Header()),
    ],
)
def test_what_a_header_says(text: str, wanted: Header) -> None:
    assert read_header(text.splitlines(), comment="#") == wanted
    if text.startswith(("# ---", "x")):
        bare = [line.removeprefix("# ") for line in text.splitlines()]
        assert read_header(bare, comment="") == wanted


# ---------------------------------------------------------------- finding

WRITTEN = "---\njupytext:\n  text_representation:\n    format_name: myst\n---\n\n"


def test_new_endings_are_found_and_a_readme_never_is(tmp_path: Path) -> None:
    files = {
        "student-01.Rmd": "```{python}\nx = 1\n```\n",
        "student-02.qmd": "```{python}\nx = 1\n```\n",
        "student-03.md": WRITTEN + "```{code-cell} python\nx = 1\n```\n",
        "student-04.rmd": "# A\n",
        "README.md": "# Read me\n\n```python\nx = 1\n```\n",
        "notes.md": WRITTEN + "# No code\n",
        "CHANGELOG.markdown": "# A\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert [one.student for one in find([tmp_path])] == [f"student-0{n}" for n in (1, 2, 3, 4)]
    (one,) = find([tmp_path / "README.md"])
    assert code(read_found(one)) == [("x = 1", "", False)]


# ---------------------------------------------------------------- hostile texts


PARAGRAPHS = ["(\n\n", "'''\n\n\"\"\"\n\n", '"""a\n\n', "x\n\nelse:\n\n", "\\\n", "@a\n\n"]
MARKS = ['\\"', "# +\n", '# + endofcell="--"\n', "# + a ", "\n", "# ---\n"]
FENCES = ["```{python}\n", "````\n```{python}\n", "```\n", "~~~{a}\n"]
HOSTILE = [
    *(("a.py", "# \n" + text * (990_000 // len(text))) for text in PARAGRAPHS),
    *(("a.py", "# \n" + text * (4_900_000 // len(text))) for text in MARKS),
    *(("a.Rmd", text * (990_000 // len(text))) for text in FENCES),
    ("a.py", "# %% " + " a=[" * 100_000),
    ("a.py", "# %% [markdown]\n" + "# ```\n" * 300_000),
    ("a.py", '# %% a="\n' * 4_999),
    ("a.py", " " * 900_000 + "x"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text"), HOSTILE, ids=lambda part: ascii(part[:16]))
def test_hostile_texts_are_read_or_refused_in_linear_time(name: str, text: str) -> None:
    """What is quadratic takes minutes."""
    with costs_at_most(10):
        try:
            read_as(name, text)
        except SubmissionError as bad:
            assert name in str(bad)
