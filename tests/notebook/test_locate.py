"""Where an exercise's answer is in a notebook, with and without the template's tags."""

from __future__ import annotations

import itertools

import pytest

from autograder.assignment.model import Assignment
from autograder.notebook.structure.locate import GIVEN, Located, locate, owned_cells
from autograder.notebook.structure.names import read_names
from autograder.notebook.structure.outline import Outline, TemplateCell
from autograder.notebook.submission import Kind, NotebookCell, Submission
from tests.support.effort import costs_at_most


def assignment(**defines: tuple[str, ...]) -> Assignment:
    check = {"kind": "value", "id": "c", "title": "is right", "points": 1}
    return Assignment.model_validate(
        {
            "format": 1,
            "id": "small",
            "title": "Small",
            "exercise": [
                {"id": id_, "title": id_ * 3, "defines": names, "check": [check | {"name": "x"}]}
                for id_, names in defines.items()
            ],
        }
    )


TWO = assignment(one=("x", "y"), two=("f", "Model.fit"))


def submission(*cells: str | tuple[str, str]) -> Submission:
    """Cells as sources, or as (mark, source): a tag, "locked" or "markdown"."""
    made = []
    for number, cell in enumerate(cells, start=1):
        mark, source = ("", cell) if isinstance(cell, str) else cell
        kind: Kind = "markdown" if mark == "markdown" else "code"
        tag = "" if mark in ("markdown", "locked") else mark
        made.append(NotebookCell(number, kind, source, tag, mark == "locked"))
    return Submission("student-01.ipynb", "0" * 64, tuple(made))


def found(*cells: str | tuple[str, str], spec: Assignment = TWO) -> Located:
    return locate(spec, submission(*cells))


def test_cells_as_in_the_template_are_known_and_answers_are_not() -> None:
    given, blank = "print(x, y)  # look at both", "def f(): ..."
    template = [
        TemplateCell("markdown", "", "Read this."),
        TemplateCell("code", "one", "x = y = ..."),
        TemplateCell("code", "two", blank),
        TemplateCell("code", "", given),
    ]
    cells = (
        ("markdown", "Read   this.\n"),
        ("markdown", "My own note."),
        ("one", "x = y = 1"),
        "my_own = 2",
        ("two", blank),
        given,
    )
    located = locate(TWO, submission(*cells), Outline(template))
    assert located.untouched == {1, 5, 6}


def keeps(*cells: str | tuple[str, str]) -> tuple[int, ...]:
    return tuple(number for _, number in found(*cells).keep_after)


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("a = b = 1", "a b"),
        ("(a, [b, *c]) = 1, (2, 3)", "a b c"),
        ("a: int = 1\nb: int", "a"),
        ("a += 1", "a"),
        ("print(a := 1)", "a"),
        ("[c for b in d if (a := b)]", "a"),
        ("{b: c for b, c in d}", ""),
        ("for a, b in c:\n    d = 1\nelse:\n    e = 1", "a b d e"),
        ("with f() as a, g() as (b, c):\n    d = 1", "a b c d"),
        ("import a.b, c as d\nfrom e import f, g as h", "a d f h"),
        ("def a(b=1):\n    c = 2", "a"),
        ("def a():\n    'text'\n    raise NotImplementedError('write here')\nb = 1", "b"),
        ("def a():\n    raise NotImplementedError", ""),
        ("def a():\n    raise ValueError\ndef b():\n    'only text'", "a b"),
        ("async def a():\n    b = 1", "a"),
        ("class A:\n    b = 1", "A"),
        ("if 1:\n    a = 1\nelif 2:\n    b = 1\nelse:\n    c = 1", "a b c"),
        ("try:\n    a = 1\nexcept E as b:\n    c = 1\nfinally:\n    d = 1", "a c d"),
        ("while 1:\n    a = 1", "a"),
        ("match b:\n    case [a, *c]:\n        d = 1\n    case {'k': e, **f} as g: pass", "acdefg"),
        ("lambda: (a := 1)", ""),
        ("a.b = 1\nc[0] = 1\ndel d", ""),
        ("await a\nb = 1", "b"),
        ("", ""),
    ],
)
def test_names_that_a_cell_defines(source: str, names: str) -> None:
    expected = set(names.split()) if " " in names else set(names)
    assert set(read_names(source).defined) == expected


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("a.b.c = 1\nd[0] += 1\ndel e[0]", {"a", "d", "e"}),
        ("with torch.no_grad():\n    a.weight[0] = b.weight[1]", {"a"}),
        ("a.weight.data.copy_(b)\nprint(c.sum())", {"a"}),
        ("torch.nn.init.normal_(a.weight, 0, 1)", {"a", "torch"}),
        ("a.b\nc[0]\nd(e)", set()),
    ],
)
def test_names_whose_object_a_cell_changes(source: str, names: set[str]) -> None:
    assert read_names(source).changed == names


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("%matplotlib inline\na = 1", {"a"}),
        ("!pip install x\na = 1", {"a"}),
        ("?len\nlen?\na.b??\nb = 1", {"b"}),
        ("%%time\na = 1", {"a"}),
        ("\n%%capture out\na = 1", {"a"}),
        ("%%bash\na = 1", set()),
        ("%%writefile m.py\na = 1", set()),
        ("%time a = 1", {"a"}),
        ("%prun -q a = 1", {"a"}),
        ("a = !ls\nb = %pwd", {"a", "b"}),
        ("if 1:\n    %matplotlib inline\n    a = 1", {"a"}),
        ("a = (1\n     % 2)\nb = 1", {"a", "b"}),
    ],
)
def test_cells_with_magics_are_read(source: str, names: set[str]) -> None:
    assert read_names(source).defined == names


def test_cells_with_syntax_errors_are_read_by_their_lines() -> None:
    source = "a = 1\nb, c = 1, 2\nd: int = 3\ndef f(:\n  g = 1\nclass A(\nif a == 1:\nx += (\n"
    assert read_names(source).defined == {"a", "b", "c", "d", "f", "A"}


# ---------------------------------------------------------------- with tags


def test_an_exercise_is_kept_after_the_last_cell_of_its_span_that_defines_its_names() -> None:
    located = found(
        "import torch",
        ("one", "x = 1"),
        ("markdown", "x = 5"),
        "y = 2",
        "print(x)",
        ("two", "def f(): pass"),
        "x = 99",
    )
    assert located.keep_after == (("one", 4), ("two", 6))
    assert dict(located.owners) == {"one": (2, 4, 5), "two": (6, 7)}


def test_a_name_reused_in_another_exercise_moves_nothing() -> None:
    assert keeps(("one", "x, y = 1, 2"), ("two", "f = 1\nx = 7"), ("two", "y = 1")) == (1, 2)


def test_names_that_a_cell_of_the_next_exercise_uses_again_move_nothing() -> None:
    """Cells without tags that answer one exercise or two, after which later ones use all names."""
    ids = ("one", "two", "three", "four")
    names = {id_: (f"{id_}_a", f"{id_}_b") for id_ in ids}
    spec = assignment(**names)
    splits = [
        [ids[a:b] for a, b in itertools.pairwise((0, *cuts, len(ids)))]
        for count in range(len(ids))
        for cuts in itertools.combinations(range(1, len(ids)), count)
    ]
    for split in splits:
        cells, wanted, used = [], [], []
        for number, exercises in enumerate(split, start=1):
            lines = [f"{name} = 0" for name in used]
            lines += [f"{name} = 1" for id_ in exercises for name in names[id_]]
            cells.append("\n".join(lines))
            wanted += [number] * len(exercises)
            used += [name for id_ in exercises for name in names[id_]]
        cells.append("\n".join(f"{name} = 2" for name in used))
        kept = [number for _, number in found(*cells, spec=spec).keep_after]
        before = len(ids) - len(split[-1])  # what comes after the last may correct it
        assert kept[:before] == wanted[:before], split


def test_a_tagged_cell_that_answers_another_exercise_too_is_no_end_of_its_own() -> None:
    assert keeps(("one", "x, y = 1, 2"), ("one", "x = 3\ndef f(): pass\nclass Model: pass")) == (
        2,
        2,
    )


def test_an_exercise_that_is_tagged_twice_has_two_spans() -> None:
    located = found(("one", "x = 1"), ("two", "f = 1"), ("one", "y = 2"))
    assert located.keep_after == (("one", 3), ("two", 2))
    assert located.owners["one"] == (1, 3)


def test_a_cell_that_changes_the_object_of_a_name_counts() -> None:
    assert keeps(("one", "x = Embedding(5, 4)"), "x.weight.data[0] = 1", "print(x)") == (2, 0)


@pytest.mark.parametrize("change", ["x.m = g", "setattr(x, 'm', g)", "x.m.fill_(1)"])
def test_a_change_counts_where_it_stands_whatever_the_name_is_used_for_later(change: str) -> None:
    began = ("two", "class x: pass\nf = 1")
    assert keeps(began, ("one", change), ("two", ""), "x = None") == (2, 1)
    assert keeps(("one", change), ("two", "f = 1"), "x = 1") == (3, 2)


def test_a_blank_exercise_is_kept_after_its_last_tagged_cell() -> None:
    assert keeps(("one", "# YOUR CODE HERE"), ("one", "pass"), "print(1)", ("two", "")) == (2, 4)


def test_an_answer_written_elsewhere_is_found() -> None:
    assert keeps("x = 1", ("one", "# YOUR CODE HERE"), ("two", "f = 1"), "y = 1") == (4, 3)
    assert keeps(("one", "# YOUR CODE HERE"), ("two", "f = 1\nx = 1")) == (2, 2)
    assert keeps("y = 1", ("one", ""), ("two", "x = 1\nf = 1")) == (1, 3)


def test_places_left_empty_are_no_answer() -> None:
    left = ("x = y = ...", "x: int = ...", "(x, y) = ...")
    for empty in left:
        assert keeps(("one", "x, y = 1, 2"), ("one", empty), ("two", "f = 1")) == (1, 3)
    method = "class Model:\n    def fit(self):\n        print(1)\n        raise NotImplementedError"
    assert keeps(("two", "f = 1\nclass Model: pass"), ("two", method))[1] == 1
    done = method.replace("print(1)", "return 1")
    assert keeps(("two", "f = 1\nclass Model: pass"), ("two", done))[1] == 2


def test_an_answer_far_below_the_function_left_empty_is_found() -> None:
    empty = "def f():\n    raise NotImplementedError"
    assert keeps(("one", "x = 1"), ("two", empty), ("one", "x = 2\ndef f(): return 1")) == (1, 3)
    assert keeps(("one", "x = 1"), ("two", empty)) == (1, 2)


def test_given_cells_are_not_the_students_answer() -> None:
    located = found(("one", "x = 1"), ("locked", "x = 0"), "y = 1", ("locked", "plot(x)"))
    assert located.keep_after[0] == ("one", 3)
    assert located.owners["one"] == (1, 3)
    assert keeps("x = 3", ("one", ""), ("locked", "x = 0"))[0] == 1
    assert keeps(("one", ""), ("two", "x = 2"), ("locked", "x = 0"))[0] == 2
    assert keeps(("one", ""), ("locked", "x = 0"))[0] == 2


def test_what_is_begun_above_the_exercises_cell_and_finished_in_it_is_read_there() -> None:
    assert keeps("x = [1]", ("one", "fill(x)"))[0] == 2
    assert keeps("x = [1]", ("one", "z = 2"))[0] == 1
    assert keeps("x = [1]", ("two", "x = 5"), ("one", "fill(x)"))[0] == 1


def test_a_tag_that_the_assignment_does_not_know_is_no_tag() -> None:
    assert keeps(("one", "x = 1"), ("other", "y = 2"), ("two", "f = 1")) == (2, 3)


# ---------------------------------------------------------------- without tags


def test_without_tags_the_last_cell_that_defines_a_name_is_found() -> None:
    located = found("import torch", "x = 1", "print(x)", "y = 2", "class Model: pass", "def f(): 1")
    assert located.keep_after == (("one", 4), ("two", 6))
    assert dict(located.owners) == {"one": (2, 3, 4), "two": (5, 6)}


def test_a_cell_goes_to_the_exercise_of_whose_names_it_defines_most() -> None:
    assert found("x = 1\nf = 1\nModel = 1").owners == {"one": (1,), "two": (1,)}
    assert found("x = 1\nf = 1\nModel = 1", "draw()").owners == {"one": (1,), "two": (1, 2)}


def test_an_exercise_that_is_nowhere_is_never_kept() -> None:
    assert found("a = 1") == Located((("one", 0), ("two", 0)), {"one": (), "two": ()})


def test_one_lost_tag_is_made_up_for() -> None:
    located = found(("one", "x, y = 1, 2"), "def f(): pass", "draw(f)")
    assert located.keep_after == (("one", 1), ("two", 2))
    assert dict(located.owners) == {"one": (1,), "two": (2, 3)}


def test_cells_are_sent_with_the_exercise_that_owns_them() -> None:
    cells = submission("import torch", ("one", "x = 1"), "y = 1", ("locked", "1"), ("zzz", "a"))
    sent = owned_cells(cells, locate(TWO, cells))
    assert [(c.number, c.exercise) for c in sent] == [
        (1, ""),
        (2, "one"),
        (3, "one"),
        (4, GIVEN),
        (5, "one"),
    ]
    both = submission(("one", "x = 1\nf = 1"), ("two", ""))
    assert [c.exercise for c in owned_cells(both, locate(TWO, both))] == ["one", "two"]


@pytest.mark.slow
def test_many_large_cells_cost_little() -> None:
    """Most are never compared with the template, and their lines are not even looked at."""
    lines = [TemplateCell("code", name, f"{name} = 1\n# of {name}") for name in ("one", "two")]
    for source in ("a\n" * 4_500, "#" + "a " * 4_500):
        many = submission(*(("one", f"{source}{n}") for n in range(5_000)), "x = y = 2")
        with costs_at_most(25):
            located = locate(TWO, many, Outline(lines))
        assert dict(located.keep_after)["one"] == 5_001


def test_a_cell_after_a_very_long_one_is_still_read() -> None:
    empty = "def f():\n    raise NotImplementedError"
    long = "data = [" + "1, " * 80_000 + "]"
    assert keeps(long, ("one", "x = y = 1"), ("two", "def f(): return 1"), empty) == (2, 3)
