"""Mutants of a solution: each changes one place, as its operator says, and nothing silent."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from autograder.assignment.kinds import NO_WRONG_ANSWER
from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment, Exercise
from autograder.mutation.mutants import Mutant, mutants, mutate
from autograder.mutation.operators import OPERATORS
from autograder.mutation.page import open_page
from autograder.mutation.silent import places
from autograder.notebook.formats.read import read
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.variant import apply_variant

SOLUTION = Path(__file__).resolve().parents[2] / "solutions/embeddings-and-position/solution.py"


def exercise(*checks: dict[str, object], id: str = "ex", title: str = "An exercise") -> Exercise:
    """An exercise with a function check, or with the checks that are given."""
    usual = {"kind": "function", "title": "Is right", "call": "f", "inputs": "cases"}
    spec = [
        {"id": f"c{n}", "points": 1, **(check or usual)} for n, check in enumerate(checks or ({},))
    ]
    return Exercise.model_validate({"id": id, "title": title, "defines": ("f",), "check": spec})


GRADIENT: dict[str, object] = {
    "kind": "gradient",
    "title": "Gradients",
    "call": "f",
    "inputs": "cases",
    "wrt": [0],
}
DTYPE: dict[str, object] = {
    "kind": "function",
    "title": "Is float32",
    "call": "f",
    "inputs": "cases",
    "dtype": "float32",
}
CHOICE: dict[str, object] = {
    "kind": "choice",
    "title": "Which one",
    "name": "order",
    "options": ["first", "last"],
}
FIGURE: dict[str, object] = {
    "kind": "figure",
    "title": "Picture",
    "shows": "pe",
    "aspects": ["data", "diverging"],
}
WRITTEN: dict[str, object] = {
    "kind": "written",
    "title": "Words",
    "name": "text",
    "rubric": "one point for each reason",
}


def made(source: str, *checks: dict[str, object]) -> list[Mutant]:
    return list(mutate(source, exercise(*checks)))


def by(operator: str, source: str, *checks: dict[str, object]) -> set[str]:
    """The changed lines of one operator's mutants, joined and stripped."""
    before = source.split("\n")
    found = set()
    for mutant in made(source, *checks):
        if mutant.operator == operator:
            after = mutant.code.split("\n")
            changed = [a for n, a in enumerate(after) if n >= len(before) or a != before[n]]
            found.add(changed[0].strip())
    return found


CHECKS = {"gradient": GRADIENT, "dtype": DTYPE, "choice": CHOICE}


class Example(NamedTuple):
    """A source, one change of an operator, and the check of the exercise if it needs one."""

    operator: str
    source: str
    change: str
    checks: tuple[dict[str, object], ...]


def read_examples() -> list[Example]:
    """The cells of examples.txt: an operator, a source, and one of the lines that it becomes."""
    text = Path(__file__).with_name("examples.txt").read_text(encoding="utf-8")
    examples = []
    for cell in re.split(r"^# %% ", text, flags=re.MULTILINE)[1:]:
        title, _, code = cell.partition("\n")
        operator, _, check = title.partition(" with ")
        source, _, change = code.partition("\n# becomes\n")
        checks = (CHECKS[check],) if check else ()
        examples.append(Example(operator, source, change.strip(), checks))
    return examples


EXAMPLES = read_examples()


def test_each_operator_has_an_example() -> None:
    assert {example.operator for example in EXAMPLES} == OPERATORS.keys()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.operator)
def test_each_operator_makes_the_change_that_it_is_named_after(example: Example) -> None:
    assert example.change in by(example.operator, example.source, *example.checks)


@pytest.mark.parametrize(
    "source",
    [
        '"""Adds 2 and 3."""',
        'def f(x):\n    """Adds 1 + 1."""',
        'print("sum", 1 + 2, x.sum(dim=0))',
        "plt.figure(figsize=(9, 4))",
        'plt.title("a title" + name)',
        "plt.show()",
        "plt.legend(loc=4)",
        'f = f"{a + 1}"',
        "x: Tensor[3]",
        "def f(x: T[1], y=10) -> T[2]: ...",
        'if __name__ == "__main__":\n    f(1)',
        "import torch.nn.functional as F",
        "torch.manual_seed(0)",
        "super().__init__()",
        "words = ['cat', 'dog', 'horse']",
        "y = x.clone()",
        "y = x.contiguous()",
        "y = x.detach()",
        "@g(1)\ndef f(x):\n    pass",
    ],
)
def test_nothing_is_changed_that_cannot_matter(source: str) -> None:
    assert [m.diff for m in made(source)] == []


def test_the_message_of_an_exception_is_left_alone() -> None:
    found = made('raise ValueError("text %d" % (n + 1))')
    assert {m.operator for m in found} == {"missing-statement", "other-exception"}


def test_the_styling_of_a_figure_is_left_alone_and_its_data_are_not() -> None:
    source = 'plt.imshow(pe + 1, cmap="RdBu", vmin=-3, vmax=1, aspect="auto", alpha=0.5)'
    lines = {m.code for m in made(source, FIGURE)}
    assert all('aspect="auto", alpha=0.5' in line for line in lines - {"pass"})
    assert any("pe - 1" in line for line in lines)
    assert any("vmin=-2" in line for line in lines)
    assert any("cmap=None" in line for line in lines)  # the exercise asks for a diverging map
    assert not any("cmap=None" in m.code for m in made(source))


@pytest.mark.parametrize(
    ("source", "not_wanted"),
    [
        ("y = 50000 * (768 // 2)", "y = 50000 * (768 / 2)"),  # 384.0 is 384
        ("y = 50000 * (768 // 2)", "y = 50000 * (769 // 2)"),
        ("y = int(a // b)", "y = int(a / b)"),
        ("y = x * 1", "y = x"),
        ("y = x + 0", "y = x"),
        ("y = [i for i in range(0, n)]", "y = [i for i in range(n)]"),
        ("y = a * b", "y = b * a"),
        ("y = x.mean(dim=-1)", "y = x.mean(dim=1)"),
        ("y = F.normalize(x, dim=1)", "y = F.normalize(x)"),
        ("y = nn.Linear(a, b, bias=True)", "y = nn.Linear(a, b)"),
        ("y = max(a, b)", "y = max(b, a)"),
        ("y = x / (z + 1e-8)", "y = x / (z + 1e-07)"),
        ("y = x.view(-1, d)", "y = x.view(-2, d)"),
        ("y = ids[0]", "y = ids[-1]"),
    ],
)
def test_what_is_plainly_the_same_is_no_mutant(source: str, not_wanted: str) -> None:
    assert not_wanted not in {m.code for m in made(source)}


def test_arguments_of_a_function_that_is_symmetric_are_not_swapped() -> None:
    same = "def same(a, b):\n    return sorted(a) == sorted(b)\n\n\ny = same(p, q)"
    less = same.replace("==", "<")
    assert "y = same(q, p)" not in by("swapped-arguments", same)
    assert "y = same(q, p)" in by("swapped-arguments", less)


def test_gradients_are_cut_only_where_a_check_asks_for_them() -> None:
    source = "def f(w, ids):\n    n = w.shape[0]\n    x = g(ids, n)\n    return x @ w"
    assert by("detached", source) == set()
    assert by("detached", source, GRADIENT) == {"return (x @ w).detach()"}


def test_a_module_that_learns_is_detached_and_changed_in_place() -> None:
    source = (
        "class A(nn.Module):\n    def __init__(self):\n        self.t = nn.Embedding(3, 4)\n"
        "        self.n = 7\n    def forward(self, ids):\n        ids = ids[: self.n]\n"
        "        return self.t(ids)"
    )
    assert by("detached", source) == {"return self.t(ids).detach()"}
    (line,) = by("in-place", source)
    assert line == "return (self.t(ids), [p.data.add_(1.0) for p in self.parameters()])[0]"


def test_equal_sources_are_made_once() -> None:
    codes = [ast.unparse(ast.parse(m.code)) for m in made("y = a * a")]
    assert len(codes) == len(set(codes))
    assert codes.count("y = a") == 1


def test_what_is_given_to_students_is_not_changed() -> None:
    source = (
        "def f(a, b):\n    scale = 1.5 * a\n    # BEGIN SOLUTION\n    return scale * b\n"
        "    # END SOLUTION\n\n\ngiven = f(2, 3)"
    )
    found = made(source)
    assert {m.line for m in found} == {4}


def test_a_cell_that_is_no_python_has_no_mutants() -> None:
    assert made("y = = 1") == []
    assert made("%matplotlib inline\ny = 1 + 2") == []


def test_names_stay_when_an_unrelated_line_is_added_above() -> None:
    source = "y = a + b\nz = y * 2\nw = a + b"
    names = [m.name for m in made(source)]
    assert [m.name for m in made(f"# a remark\nunrelated = g\n{source}")] == names
    assert len(set(names)) == len(names)  # though the lines of y and w make equal changes


def test_layout_and_comments_stay() -> None:
    source = "y = {\n  'a' :1,   # one\n  'b':  x+z }  # two"
    for mutant in made(source):
        lines = mutant.code.split("\n")
        changed = [n for n, line in enumerate(source.split("\n")) if lines[n] != line]
        assert len(changed) == 1


def test_every_change_of_every_operator_leaves_a_program() -> None:
    broken = []
    for path in sorted((SOLUTION.parent / "equivalents").glob("*.py")):
        page = open_page(path.read_text(encoding="utf-8"), exercise(GRADIENT))
        assert page is not None
        for node in places(page):
            for operator, change in OPERATORS.items():
                for edit in change(node, page):
                    try:
                        ast.parse(page.apply(edit))
                    except SyntaxError:
                        broken.append((path.name, operator, edit.text))
    assert broken == []


def submission(*cells: NotebookCell) -> Submission:
    return Submission("s.py", "0" * 64, cells)


def test_written_exercises_and_those_without_a_cell_have_no_mutants() -> None:
    cells = [
        NotebookCell(1, "code", "y = a + b", "words"),
        NotebookCell(2, "code", "y = a + b", "ex"),
    ]
    exercises = (exercise(WRITTEN, id="words"), exercise(id="ex"), exercise(id="not_there"))
    assignment = Assignment(format=1, id="a", title="A title", exercise=exercises)
    found = mutants(submission(*cells), assignment)
    assert {m.exercise for m in found} == {"ex"}


@pytest.fixture(scope="module")
def solution() -> Submission:
    return read(SOLUTION)


@pytest.fixture(scope="module")
def of_flagship(solution: Submission, flagship: Loaded) -> tuple[Mutant, ...]:
    return mutants(solution, flagship.spec)


def test_the_flagship_has_enough_mutants_of_every_automatic_exercise(
    of_flagship: tuple[Mutant, ...], flagship: Loaded
) -> None:
    assert 150 <= len(of_flagship) <= 350
    automatic = {e.id for e in flagship.spec.exercise if e.check[0].kind not in NO_WRONG_ANSWER}
    assert {m.exercise for m in of_flagship} == automatic
    assert max(Counter(m.name for m in of_flagship).values()) == 1


def test_every_mutant_of_the_flagship_is_a_program_that_differs_in_one_place(
    of_flagship: tuple[Mutant, ...], solution: Submission
) -> None:
    sources = {c.exercise: c.source for c in solution.cells if c.kind == "code"}
    for mutant in of_flagship:
        ast.parse(mutant.code)
        assert mutant.code != sources[mutant.exercise]
        assert len(re.findall("^@@", mutant.diff, re.MULTILINE)) == 1
        assert mutant.diff.count("\n-") == 1  # one line of code; the head is the first line


def test_a_mutant_is_a_variant_of_the_solution(
    of_flagship: tuple[Mutant, ...], solution: Submission
) -> None:
    mutant = of_flagship[0]
    changed = apply_variant(solution, mutant.variant)
    assert mutant.code in [cell.source for cell in changed.cells]


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("def f(x):\n    if not x:\n        return {'n': 0, 'of': [1.0]}\n    return g(x)", 1),
        ("class f:\n    def a(self, x):\n        return x * self.n", 0),
    ],
)
def test_a_result_is_kept_only_where_a_later_call_could_show_it(source: str, kept: int) -> None:
    """A constant is the same at each call, and a function check makes an object for each call."""
    assert sum(mutant.operator == "kept-result" for mutant in made(source)) == kept


@pytest.mark.parametrize("used", ["t.groupby('a')", "t['a']", "t[['a', 'b']]"])
def test_a_data_frame_that_is_an_argument_loses_a_row(used: str) -> None:
    (line,) = by("changed-argument", f"def f(t):\n    t[0]\n    return {used}.sum()")
    names = {"t": pd.DataFrame({"a": [1, 2], 0: [3, 4], "b": [5, 6]})}
    exec(f"def f(t):\n    {line}\nf(t)", names)
    assert len(names["t"]) == 1
