"""Mutants of a solution: each changes one place, as its operator says, and nothing silent."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Any

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


# operator -> a source, one of its changes, and the check of the exercise if it needs one
EXAMPLES: dict[str, tuple[Any, ...]] = {
    "swapped-operation": ("y = (a +  # b + c\n     b)", "y = (a -  # b + c"),
    "missing-operand": ("y = x * scale", "y = x"),
    "missing-sign": ("y = torch.exp(-x)", "y = torch.exp(x)"),
    "off-by-one": ("y = torch.arange(n)", "y = torch.arange(1, n + 1)"),
    "other-number": ("y = math.log(10000.0)", "y = math.log(1000.0)"),
    "wrong-axis": ("y = x.sum(dim=1)", "y = x.sum(dim=0)"),
    "moved-axis": ("y = x[None, :, None, :]", "y = x[None, None, :, :]"),
    "turned-axes": ("y = x.transpose(1, 2)", "y = x.transpose(0, 2)"),
    "other-slice": ("y[:, 0::2] = x", "y[:, 1::2] = x"),
    "swapped-function": ("y = torch.sin(x)", "y = torch.cos(x)"),
    "other-distribution": (
        "nn.init.normal_(w, std=0.02)",
        "nn.init.uniform_(w, -0.02 * 3**0.5, 0.02 * 3**0.5)",
    ),
    "swapped-arguments": ("e = nn.Embedding(rows, width)", "e = nn.Embedding(width, rows)"),
    "missing-keyword": ("h = nn.Linear(4, 9, bias=False)", "h = nn.Linear(4, 9)"),
    "flipped-flag": ("y = f(x, special=True)", "y = f(x, special=False)"),
    "other-aggregation": (
        'y = t.groupby("a").agg({"sum": "sum"})',
        'y = t.groupby("a").agg({"sum": \'mean\'})',
    ),
    "other-join": ('y = a.merge(b, how="left")', "y = a.merge(b, how='inner')"),
    "missing-table-step": ("y = t.dropna()", "y = t.fillna(0)"),
    "other-order": ('y = t.sort_values("a")', 'y = t.sort_values("a", ascending=False)'),
    "flipped-table-flag": (
        "y = concat([a, b], ignore_index=True)",
        "y = concat([a, b], ignore_index=False)",
    ),
    "missing-step": ("y = F.normalize(x, dim=1)", "y = x"),
    "left-on-device": ("y = x + z.to(x.device)", "y = x + z"),
    "other-parameter": ("def f(a, b):\n    c = g(a)", "c = g(b)"),
    "empty-label": ('plt.xlabel("position")', 'plt.xlabel("")'),
    "other-comparison": ("y = a < b", "y = a <= b"),
    "other-condition": ("if not ready:\n    y = 1", "if ready:"),
    "missing-statement": ("for b in c:\n    optimizer.step()\n    y = b", "pass"),
    "other-exception": ('raise ValueError("a text")', 'raise RuntimeError("a text")'),
    "short-loop": ("for a in b:\n    c = a\n    d = c", "break"),
    "other-text": ('order = "first"', 'order = "last"', CHOICE),
    "other-mark": ("y = loss(a, b, ignore_index=-1)", "y = loss(a, b, ignore_index=1)"),
    "constant-result": ("def f(x):\n    return g(x)", "return g(x) * 0"),
    "negative-result": ("def f(x):\n    return x + y", "return -(x + y)"),
    "transposed-result": ("def f(x):\n    return g(x)", "return g(x).swapaxes(0, 1)"),
    "other-type-result": ("def f(x):\n    return g(x)", "return g(x).double()", DTYPE),
    "other-type": (
        "def f(n):\n    y = torch.ones(n, dtype=torch.float32)\n    return y",
        "y = torch.ones(n, dtype=torch.float64)",
        DTYPE,
    ),
    "detached": (
        "def f(w):\n    v = w[0]\n    return v @ v",
        "with torch.no_grad(): v = w[0]",
        GRADIENT,
    ),
    "in-place": ("def f(x, y):\n    n = x.shape\n    return x + y", "return x.add_(y)"),
    "held-otherwise": (
        'class A:\n    def __init__(self):\n        self.register_buffer("t", g(1))',
        "self.t = torch.nn.Parameter(g(1))",
    ),
    "squeezed-result": ("def f(x):\n    return g(x)", "return g(x).squeeze()"),
    "kept-result": (
        "def f(x, n):\n    return x * n",
        "return f.__dict__.setdefault"
        '((str(x).split(" at 0x")[0], getattr(n, "shape", None)), x * n)',
    ),
    "kept-size": (
        "def f(x):\n    n = len(x)\n    return n",
        'n = f.__dict__.setdefault("size of x", len(x))',
    ),
    "global-size": (
        "def f(n):\n    y = torch.arange(n)\n    return y",
        'y = torch.arange(globals().setdefault("size_n", n))',
    ),
    "changed-argument": (
        "def f(xs):\n    return g(xs[0])",
        'return (g(xs[0]), next((getattr(xs, s) for s in ("reverse", "zero_", "sort", "clear") '
        "if hasattr(xs, s)), int)())[0]",
    ),
    "weaker-corner": ("def f(x):\n    if x.norm() == 0:\n        return 0.0", "if x.sum() == 0:"),
    "other-corner": (
        "def f(x):\n    if g(x):\n        return torch.zeros(3)",
        "return torch.zeros(3).cpu()",
    ),
    "keyed-by-value": (
        "def f(xs):\n    return [(x, g(x)) for x in xs]",
        "return list({one[1]: one for one in [(x, g(x)) for x in xs]}.values())",
    ),
    "exchanged-statements": (
        "def f(m, bs):\n    o = g(m.parameters())\n    for b in bs:\n        o.zero_grad()\n"
        "        l = g(b)\n        l.backward()\n        o.step()",
        "o.step()",
    ),
}


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_operator_makes_the_change_that_it_is_named_after(operator: str) -> None:
    source, change, *checks = EXAMPLES[operator]
    assert change in by(operator, source, *checks)


@pytest.mark.parametrize(
    ("operator", "source", "change"),
    [
        ("missing-operand", "y = (a + b) * c", "y = a + b"),
        ("other-aggregation", 'y = t.groupby("a").b.count()', 'y = t.groupby("a").b.nunique()'),
        (
            "other-aggregation",
            'y = t.pivot_table(aggfunc="max")',
            "y = t.pivot_table(aggfunc='min')",
        ),
        ("other-join", "y = a.merge(b)", "y = a.merge(b, how='left')"),
        ("other-join", 'y = a.join(b, on="k")', "y = a.join(b, on=\"k\", how='inner')"),
        ("missing-table-step", "y = t.reset_index(drop=True)", "y = t"),
        ("missing-table-step", "y = t.fillna(0)", "y = t.dropna()"),
        ("other-order", "y = t.sort_index(ascending=False)", "y = t.sort_index(ascending=True)"),
        ("missing-operand", "y = d ** (a * b)", "y = d ** (a)"),
        ("swapped-operation", "y = b / a ** i", "y = b / (a * i)"),
        ("swapped-operation", "y += x", "y -= x"),
        ("missing-operand", "y += x", "y = x"),
        ("off-by-one", "y = x[: n]", "y = x[: n + 1]"),
        ("off-by-one", "y = nn.Embedding(10, d)", "y = nn.Embedding(11, d)"),
        ("other-slice", "y = x[:n]", "y = x[:]"),
        ("other-slice", "y = x[1:]", "y = x[:1]"),
        ("wrong-axis", "y = x.unsqueeze(0)", "y = x.unsqueeze(1)"),
        ("wrong-axis", "y = torch.stack(xs, dim=-1)", "y = torch.stack(xs, dim=-2)"),
        ("wrong-axis", "n = x.shape[0]", "n = x.shape[1]"),
        ("swapped-function", "y = sorted(xs)", "y = sorted(xs, reverse=True)"),
        ("swapped-function", "sorted(a for a in b)", "sorted((a for a in b), reverse=True)"),
        ("other-condition", "y = not (\n    a\n    or b)", "y = (a"),
        ("swapped-function", "y = torch.topk(x, k)", "y = torch.topk(x, k, largest=False)"),
        ("missing-keyword", "e = nn.Embedding(v, d, padding_idx=p)", "e = nn.Embedding(v, d)"),
        ("missing-step", "y = x.T @ x", "y = x @ x"),
        ("missing-step", "y = word.lower()", "y = word"),
        ("other-condition", "y = a if b == c else d", "y = a if True else d"),
        ("other-condition", "y = [a for a in b if c(a)]", "y = [a for a in b if True]"),
        ("other-text", 'y = v.get("[UNK]", 0)', 'y = v.get("[UNK]x", 0)'),
        ("missing-statement", "torch.manual_seed(seed)", "pass"),
        (
            "weaker-corner",
            "def f(a):\n    n = torch.sqrt((a * a).sum())\n    if n == 0:\n        return 0.0",
            "if a.max() == 0:",
        ),
        (
            "weaker-corner",
            "def f(t=None):\n    if t is None:\n        return 0",
            "if (t is None or not t.any()):",
        ),
    ],
)
def test_an_operator_also_makes_this_change(operator: str, source: str, change: str) -> None:
    assert change in by(operator, source)


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
