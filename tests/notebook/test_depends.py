"""Which cells build on which, read from their text, and an order that serves all of them."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest

from autograder.assignment.load import Loaded
from autograder.notebook.formats.read import read
from autograder.notebook.structure import names
from autograder.notebook.structure.depends import MAX_CODE, EarlyUse, dependencies, dependency_order
from autograder.notebook.structure.uses import read_uses
from autograder.notebook.submission import NotebookCell
from tests.support.effort import costs_at_most


def cells(*sources: str) -> tuple[NotebookCell, ...]:
    return tuple(NotebookCell(n, "code", source) for n, source in enumerate(sources, 1))


@pytest.mark.parametrize(
    ("source", "now"),
    [
        ("a = b + c", "b c"),
        ("a = 1\nd = a + b", "b"),
        ("d = a\na = 1", "a"),
        ("a += 1", "a"),
        ("a[i] = b.c", "a b i"),
        ("for i in range(n):\n    t = t + i", "n t"),
        ("while a:\n    b\nelse:\n    c", "a b c"),
        ("if a:\n    x = 1\nelif b:\n    x = c\nprint(x)", "a b c"),
        ("with a as b, c() as d:\n    b, d, e", "a c e"),
        ("try:\n    a\nexcept B as c:\n    c, d\nelse:\n    e\nfinally:\n    f", "B a d e f"),
        ("match a:\n    case [b, *c] if b > d:\n        c, e", "a d e"),
        ("[x * y for x in z if x > w]", "w y z"),
        ("{k: v for k, v in d.items()}", "d"),
        ("sorted(a, key=lambda v: v[b])", "a b"),
        ("f = lambda v: v + b", ""),
        ("def f(x=a, *, y: B = c) -> D:\n    return x + z", "a c"),
        ("@a.b\ndef f():\n    return z", "a"),
        ("class A(B, k=M):\n    x = c\n    y = x\n    def f(self):\n        return z", "B M c"),
        ("import a.b\na.b.c\nfrom d import e as f\nf, e", "e"),
        ("print(len([1])), get_ipython(), display(a)", "a"),
        ("%matplotlib inline\n!pip install x\na", "a"),
        ("%%time\nb", "b"),
        ("%%bash\nb", ""),
        ("print(a := b)\na", "b"),
        ("not valid (", ""),
        ("", ""),
    ],
)
def test_names_that_must_be_there_when_a_cell_runs(source: str, now: str) -> None:
    assert set(read_uses(source).now) == set(now.split())


@pytest.mark.parametrize(
    ("source", "later"),
    [
        ("def f(x, *a, k=1, **o):\n    y = x + z\n    return y, a, k, o", "z"),
        ("def f():\n    def g(v):\n        return v + w\n    return g", "w"),
        ("def f():\n    global c\n    c = c + 1", "c"),
        ("def f():\n    import math\n    return math.pi", ""),
        ("def f():\n    return [i * s for i in range(3)]", "s"),
        ("f = lambda v: v + b", "b"),
        ("class f:\n    def g(self):\n        return a\n    def h(self):\n        return b", "a b"),
        ("def f():\n    try:\n        a\n    except E as e:\n        return e", "E a"),
    ],
)
def test_names_that_must_be_there_when_a_function_is_called(source: str, later: str) -> None:
    found = read_uses(source)
    assert set(found.later["f"]) == set(later.split()) and not found.now


def test_a_function_binds_the_names_that_it_declares_global() -> None:
    assert read_uses("def solve():\n    global a, b\n    a = b = 1\nsolve()").bound >= {"a", "b"}


def test_a_cell_builds_on_the_last_cell_above_that_defines_a_name() -> None:
    found = dependencies(cells("x = 1", "x = 2", "y = x", "x = 3"))
    assert found.builds_on[3] == (2,) and found.early == ()
    assert dependencies(cells("x = nowhere", "print(sum([x]))", "sum = 3")).early == ()


def test_a_cell_that_calls_a_function_needs_what_that_needs() -> None:
    found = dependencies(cells("def f(): return g()", "f()", "def g(): return z", "z = 1"))
    assert found.builds_on[2] == (1, 3, 4)
    assert found.early == (EarlyUse(2, "g", 3), EarlyUse(2, "z", 4))
    calm = dependencies(cells("def f(): return g()", "def g(): return 1", "f()"))
    assert calm.early == () and calm.builds_on[1] == ()


# Notebooks in perfect order; in nearly all of them a later cell defines a name met above it.
IN_ORDER_FILE = Path(__file__).resolve().parents[1] / "support/in_order.txt"
IN_ORDER = IN_ORDER_FILE.read_text().split("\n# ----\n")


@pytest.mark.parametrize("notebook", IN_ORDER)
def test_a_notebook_in_order_has_no_name_that_is_surely_used_early(notebook: str) -> None:
    found = dependencies(cells(*notebook.split("\n# %%\n")))
    assert [one for one in found.early if one.sure] == []


@pytest.mark.parametrize(
    "sources",
    [
        ("late", "late = 1"),
        ("print(sum(late for _ in x))", "late = 1"),
        ("f(lambda: late)", "late = 1"),
        ("def f(): return g()\nf()", "def g(): return 1\nlate = g"),
        ("def f(): return late\n@f\ndef h(): pass", "late = 1"),
        ("class A:\n    def __init__(self): self.x = late\nA()", "late = 1"),
        ("class A(late): pass", "late = 1"),
        ("if x:\n    late", "late = 1"),
        ("try:\n    late\nexcept ValueError:\n    pass", "late = 1"),
        ("with suppress(ValueError):\n    late", "late = 1"),
        ("for i in late: pass", "late = 1"),
        ("def f(): return late", "f()", "late = 1", "def f(): return 1"),
    ],
)
def test_a_name_that_must_be_there_is_surely_used_early(sources: tuple[str, ...]) -> None:
    assert any(one.sure for one in dependencies(cells(*sources)).early)


def test_what_may_be_needed_is_early_but_not_surely() -> None:
    found = dependencies(cells("def f(): return late", "hook = f", "late = 1"))
    assert found.early == (EarlyUse(2, "late", 3, sure=False),)
    stars = dependencies(cells("from math import *", "pi", "pi = 3"))
    assert stars.early == (EarlyUse(2, "pi", 3, sure=False),)


def test_of_two_versions_of_a_function_the_one_above_is_called() -> None:
    found = dependencies(cells("def f(): return 1", "f()", "late = 1", "def f(): return late"))
    assert found.early == () and found.builds_on[2] == (1,)
    both = dependencies(cells("late = 1", "def f(): return late", "f()", "def f(): return 1"))
    assert both.builds_on[3] == (1, 2)


def test_each_cell_comes_after_those_it_builds_on() -> None:
    assert dependency_order(cells("c = b", "a = 1", "b = a", "d = 1")) == (2, 3, 1, 4)
    assert dependency_order(cells("a = 1", "b = a")) == (1, 2)


def test_a_circle_is_broken_at_its_first_cell() -> None:
    assert dependency_order(cells("a = b", "b = a", "c = 1")) == (3, 1, 2)
    assert dependency_order(cells("x = 1", "a = b", "b = a", "c = a")) == (1, 2, 3, 4)


@pytest.mark.parametrize("seed", range(6))
def test_a_shuffled_solution_is_put_in_order(flagship: Loaded, seed: int) -> None:
    solution = read(flagship.solution).cells
    assert dependencies(solution).early == ()
    right = tuple(cell.number for cell in solution if cell.kind == "code")
    assert dependency_order(solution) == right
    mixed = list(solution)
    random.Random(seed).shuffle(mixed)
    by_number = {cell.number: cell for cell in mixed}
    order = dependency_order(mixed)
    assert dependencies([by_number[number] for number in order]).early == ()
    assert sorted(order) == [*right]


MANY = ", ".join(f"n{i}" for i in range(9_000))
SLOW: dict[str, list[str]] = {
    "short statements": ["a\n" * 40_000],
    "functions that need much, called often": [
        f"def f(): return ({MANY})",
        f"{MANY.replace(', ', ' = ')} = 0",
        *["f()"] * 900,
    ],
    "a long chain of calls": [f"def f{n}(): return f{n + 1}()\nf0()" for n in range(999)],
    "one name defined over and over": ["\n".join(f"def f():b{n}" for n in range(13_000)) + "\nf()"],
    "classes below many names": [f"{MANY.replace(', ', ' = ')} = 0\n" + "class A:0\n" * 9_000],
    "targets with much in them": ["[0 for a[" * 40 + ",".join("a" * 90_000) + "] in z]" * 40],
}


@pytest.mark.slow
@pytest.mark.parametrize("what", SLOW)
def test_code_that_needs_much_costs_little(what: str) -> None:
    code = cells(*SLOW[what])
    with costs_at_most(25):
        dependencies(code)
        dependency_order(code)


def test_what_is_needed_is_followed_up_to_a_limit() -> None:
    few = cells(*SLOW["functions that need much, called often"][:4])
    assert dependencies(few).builds_on[3] == (1, 2)
    many = cells("y = x", "x = 1", *SLOW["functions that need much, called often"])
    tracemalloc.start()
    found = dependencies(many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
    assert found.builds_on[1] == () and dependency_order(many)[:2] == (1, 2)


def test_too_much_code_is_left_in_its_order() -> None:
    many = cells("y = x", "x = 1", "#" * (MAX_CODE + 1))
    assert dependencies(many).early == () and dependency_order(many) == (1, 2, 3)
    with costs_at_most(10):
        dependency_order(cells(*(f"x{n} = x{n + 1}" for n in range(900))))


def test_a_tree_that_another_thread_disturbs_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 may raise SystemError for sound source while another thread makes a tree."""
    real, left = names.ast.parse, [2]

    def disturbed(source: str) -> object:
        if left[0]:
            left[0] -= 1
            raise SystemError("AST constructor recursion depth mismatch")
        return real(source)

    monkeypatch.setattr(names.ast, "parse", disturbed)
    assert names.parse("disturbed = 1") is not None
    left[0] = names.TRIES * 2
    assert names.parse("disturbed = 2") is None
