"""`autograder new --from`: a solution notebook becomes a draft of an assignment."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import nbformat
import numpy as np
import pytest
import torch
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.assignment.load import Cases, Loaded, load, make_cases
from autograder.authoring.draft.arguments import head
from autograder.authoring.draft.drawings import drawings
from autograder.authoring.draft.functions import DraftFunction, Parameter, solved
from autograder.authoring.draft.refused import changed_calls, raising_lines
from autograder.authoring.draft.source import DrawnForm, NoSourceError, drawn, lengths, literal
from autograder.authoring.draft.trial import _slots
from autograder.notebook.structure.regions import strip_regions, without_marks
from autograder.wire.tensors import from_wire, to_tensor, to_wire
from tests.support.in_process import Lent, command, done
from tests.support.tiny_course import scores


def cells_of(name: str) -> tuple[str, ...]:
    """The cells of a notebook in notebooks.txt."""
    text = Path(__file__).with_name("notebooks.txt").read_text("utf-8")
    (found,) = (part for part in text.split("==== ") if part.startswith(f"{name}\n"))
    return tuple(cell.removesuffix("\n") for cell in found.split("---- cell\n")[1:])


def write_notebook(path: Path, cells: tuple[str, ...]) -> Path:
    """A notebook whose cells that begin with # and a blank are text."""
    made = [
        (new_markdown_cell if source.startswith("# ") else new_code_cell)(source)
        for source in cells
    ]
    path.write_text(nbformat.writes(new_notebook(cells=made)), encoding="utf-8")
    return path


class Draft(NamedTuple):
    """What became of a notebook, what was said, and its cases under some seeds."""

    loaded: Loaded
    said: str
    cases: list[Cases]

    def calls(self, generator: str, seeds: int = 1) -> list[tuple[Any, ...]]:
        """The calls that a generator makes."""
        return [
            tuple(map(from_wire, case)) for made in self.cases[:seeds] for case in made[generator]
        ]


@pytest.fixture(scope="module")
def many(lent_box: Lent, tmp_path_factory: pytest.TempPathFactory) -> Draft:
    """The draft of a notebook of many functions and classes."""
    folder = tmp_path_factory.mktemp("many")
    notebook = write_notebook(folder / "a.ipynb", cells_of("many"))
    said = done("new", folder / "course/many", "--from", notebook).out
    loaded = load(folder / "course/assignments/many")
    return Draft(loaded, said, [make_cases(loaded, seed) for seed in range(1, 21)])


@pytest.mark.slow
@pytest.mark.usefixtures("lent_box")
def test_a_notebook_becomes_an_assignment_that_can_be_released_and_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_notebook(tmp_path / "meine lösung.ipynb", cells_of("near"))
    said = done("new", "mein kürs/near", "--from", "meine lösung.ipynb").out
    for line in (
        "row_means: public calls as in cell 3; hidden calls",
        "distance: public calls as in the docstring",
        "it must raise ValueError, as in cell 6",
        "nearest: public calls as in cell 5; hidden calls",
        "it uses `distance`: a mistake there costs points here too",
        "count_letters: arguments that it accepts; the notebook has no call",
        "_show: its name begins with _",
        "shuffled: its result changes from call to call",
        "Scaler: Scaler.scale: public calls as in cell 8",
        "Model: a class without methods",
        "cell 7 raises NameError",
    ):
        assert line in said
    folder = tmp_path / "mein kürs/assignments/near"
    text = (folder / "assignment.toml").read_text("utf-8")
    assert "its inputs and the right results" in text
    assert text.count("# Guessed: ") >= 8 and tomllib.loads(text)["title"] == "Distances"
    loaded = load(folder)
    cases = make_cases(loaded, 1)
    assert [e.id for e in loaded.spec.exercise] == [
        "row_means",
        "distance",
        "nearest",
        "count_letters",
        "Scaler",
    ]
    assert {len(case) for case in cases["nearest_drawn"]} == {3}
    shapes = [case[0].shape for case in cases["row_means_drawn"]]
    assert {(2, 3), (4, 5), (1, 3), (2, 1)} == set(shapes) and shapes.count((2, 3)) == 4
    first = tuple(map(from_wire, cases["distance_ValueError"][0]))
    assert first == ([1], [1, 2])  # the notebook's own call

    monkeypatch.chdir(tmp_path / "mein kürs")
    source = (folder / "solution.py").read_text("utf-8")
    (folder / "solution.py").write_text(source.replace("unknown", "table"), encoding="utf-8")
    done("release", "near")
    done("grade", "near", "../meine lösung.ipynb", "--out", "out")
    (score,) = scores(tmp_path / "mein kürs/out").values()
    assert score == float(sum(exercise.max_score for exercise in loaded.spec.exercise) / 1000)


@pytest.mark.slow
def test_every_raise_of_a_function_is_reached_by_a_call_and_no_other_error_counts(
    many: Draft,
) -> None:
    """Arrays of other shapes raise ValueError in `weighted` too, but not in its own statement."""
    assert many.said.count("for arguments that were changed until it did") == 4
    checks = [check for exercise in many.loaded.spec.exercise for check in exercise.check]
    assert len([check for check in checks if check.kind == "raises"]) == 4
    windows = [(len(x), window) for x, window in many.calls("moving_average_IndexError")]
    assert all(window < 1 or window > length for length, window in windows)
    assert (3, 0) in windows and (3, 4) in windows
    assert all(x.ndim != 1 for x, _ in many.calls("moving_average_ValueError"))
    types = [window for _, window in many.calls("moving_average_TypeError")]
    assert types and not any(isinstance(window, int) for window in types)
    assert all(not 0 <= share <= 1 for *_, share in many.calls("weighted_ValueError"))
    limits = {window for _, window in many.calls("moving_average_drawn")}
    assert {1, 3} <= limits  # the least and the largest that fit


def changed(source: str, example: str) -> set[str]:
    cell = SimpleNamespace(source=source)
    return set(changed_calls(example, raising_lines(cell)))  # type: ignore[arg-type]


def test_a_function_refuses_only_what_it_looks_at() -> None:
    """Right answers may do anything with what the solution refuses by the way."""
    example = "(np.array([1.0, 2.0]), 3, 0.5)"
    raising = "def f(x, n, s):\n    if {}:\n        raise ValueError('no')\n    return x"
    axes, types, nans = "[None]", '"3"', "nan"
    by_the_way = changed(raising.format("x.shape != s.shape or n > 3"), example)
    assert by_the_way and not any(
        words in call for call in by_the_way for words in (axes, types, nans)
    )
    for condition, words in (
        ("x.ndim != 1", axes),
        ("not isinstance(n, int)", types),
        ("np.isnan(x).any()", nans),
    ):
        found = changed(raising.format(condition), example)
        assert any(words in call for call in found), condition


def test_one_thing_is_varied_alone_and_lists_and_texts_are_empty_once(many: Draft) -> None:
    assert {("",), ("A Cat Saw Another",)} <= set(many.calls("words_of_drawn"))
    varied = [case for items, *case in many.calls("most_drawn") if items == ["b", "a", "cc"]]
    for other in ([2], [3], [1, True], [1, False], [1, False, 0.5], [1, False, 0.25]):
        assert other in varied
    tallies = many.cases[0]["Tally_mean_drawn"]
    empty = [case for case in tallies if case[0].args == (to_wire([]),)]
    assert len(empty) == 1 and empty[0][1] != 0
    same = [case[1] for case in tallies if case[0].args == (to_wire([1, 4]),)]
    assert same == [3.0, 1.0]
    joined = many.calls("joined_drawn")
    assert ("", "-") in joined and ([], "+") in joined  # each example's corners


def test_whole_numbers_stay_within_the_lists_beside_them_unless_the_solution_looks(
    many: Draft,
) -> None:
    def calls(name: str) -> list[tuple[Any, ...]]:
        return many.calls(f"{name}_drawn", seeds=20)

    assert all(0 <= k <= len(items) for items, k in calls("first"))
    assert {k for _, k in calls("first")} == {1, 2, 3, 4}
    assert all(0 <= i < len(items) for items, i in calls("at"))
    assert {i for _, i in calls("at")} == {0, 1, 2, 3}
    assert all(k <= len(numbers) for numbers, *ks in calls("total") for k in ks)
    assert all(0 < k <= len(text) for text, k in calls("last"))
    assert {k - len(items) > 0 for items, k in calls("padded")} == {True, False}  # it looks
    assert ({},) in calls("counted")
    assert max(exponent for _, exponent in calls("power")) > 3  # no list beside it


@pytest.mark.usefixtures("lent_box")
@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (("def f(x):\n    # BEGIN SOLUTION\n    return x\n    # END SOLUTION",), "has marks"),
        (("def _f(x):\n    return x",), "_f: its name begins with _"),
        (("def f(x, *, k):\n    return x",), "f: it must be called with keywords"),
        (("def f(x):\n    return x.nothing",), "f: no arguments were found"),
        (("def f(x):\n    return x\n", "'''\n# %%\n'''"), "cannot be written"),
    ],
)
def test_what_cannot_become_an_assignment_is_refused(
    tmp_path: Path, cells: tuple[str, ...], reason: str
) -> None:
    notebook = write_notebook(tmp_path / "a.ipynb", cells)
    ran = command("new", tmp_path / "course" / "a", "--from", notebook)
    assert ran.code == 2 and reason in ran.err
    assert not (tmp_path / "course").exists()


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return x + 1",
        'def f(x):\n    """What.\n\n    More.\n    """\n    # why\n    return x\n',
        "@cache\ndef f(\n    x,\n    y=[1, 2],\n) -> int:  # a: comment\n\n    # b\n    return x",
        'def f(x):\n    if x:\n        return """\ntext"""\n    return 1',
        "def f(ä): y = 'ü'; return y",
        "class A:\n    b = 1\n\n    def c(self): return 1\n\n    def d(self):\n        return 2",
    ],
)
def test_the_marks_hide_all_of_a_function_but_its_head(source: str) -> None:
    marked = solved(source.strip())
    assert ast.dump(ast.parse(without_marks(marked))) == ast.dump(ast.parse(source))
    nodes = [*ast.walk(ast.parse(strip_regions(marked)))]
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            stub = [part for part in node.body if not isinstance(part, ast.Expr)]
            assert [type(part) for part in stub] == [ast.Raise]
    assert not [node for node in nodes if isinstance(node, ast.Return)]


VALUES: list[Any] = [
    *(None, True, 0, -3, 7, 0.25, -1.5, 1e9, "word", "two 'words'\n", "", 1 + 2j),
    *([1, 2, 3], (1.0, 2.0), [[1, 2], [3, 4]], [1, "a", None], ["a", "b"], [], {"a": [1.0]}),
    *({1, 2}, set(), (1,), [(1, 2), (3, 4)], [True, False]),
    *(np.arange(6).reshape(2, 3), np.array([0.5, -0.25]), np.array(2.0), np.array([True, False])),
    *(np.zeros((0, 3)), np.array([1, 2], dtype=np.int32), np.array([1 + 2j]), np.array([5, 5])),
    *(torch.tensor([0.5, -2.0]), torch.tensor([[1, 2]]), torch.tensor([True]), torch.tensor(3.0)),
    torch.tensor([1.5], dtype=torch.bfloat16),
]


def evaluated(source: str, seed: int = 1) -> Any:
    names = {"np": np, "torch": torch, "rng": np.random.default_rng(seed)}
    exec(head(source), names)
    return eval(source, names)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_source_gives_the_value_or_one_of_its_form(value: Any) -> None:
    again = evaluated(literal(value))
    assert type(again) is type(value) and repr(again) == repr(value)
    pairs = tuple((length, length + 2) for length in lengths(value))
    for form in (
        DrawnForm(),
        DrawnForm(single=False),
        DrawnForm(single=False, lengths=pairs),
        DrawnForm(numbers="large"),
        DrawnForm(numbers="zero"),
    ):
        for seed in (1, 2, 3):
            other = evaluated(drawn(value, form), seed)
            assert type(other) is type(value)
            assert getattr(other, "dtype", None) == getattr(value, "dtype", None)
            if not form.lengths:
                assert np.shape(other) == np.shape(value)


def test_classes_with_base_classes_become_exercises_where_they_can(many: Draft) -> None:
    assert not re.search(r"cell \d+ raises", many.said)
    for line in (
        "Pair.forward: its parameters are set to random numbers",
        "Noisy: its result changes from call to call",
        "Cube.area: public calls as in cell",
        "Colour: the notebook does not call it",
    ):
        assert line in many.said
    text = (many.loaded.folder / "inputs.py").read_text()
    assert text.count('(made("Ones", 3), torch') == 1 and '(made("Pair", 3), torch' not in text
    assert [e.id for e in many.loaded.spec.exercise][-4:] == ["Pair", "Ones", "Cube", "Point"]
    for case in many.cases[0]["Pair_forward_drawn"]:
        scale, first, second = (to_tensor(slot.array) for slot in case[0].slots)
        # whichever a student makes first, and however it is held
        assert torch.equal(first, second) and torch.equal(first, first.T) and scale.shape == (3,)
        assert case[1].shape[-1] == 3  # an axis of a parameter keeps its length


def test_axes_of_parameters_keep_their_lengths() -> None:
    example = """(made("A", 6, state=_parameters(rng, (6,))), np.array([[1.0] * 6] * 2))"""
    function = DraftFunction("A.f", (Parameter("x"),), (), False)
    sizes = {evaluated(call.source)[1].shape for call in drawings(example, function)}
    assert sizes == {(2, 6), (4, 6), (1, 6)}


def test_shapes_that_a_notebook_reports_are_checked() -> None:
    (slot,) = _slots(to_wire([(2, 3)]))
    assert slot.array.shape == (2, 3)
    for claimed in ([(-1,)], [(2.5,)], ["ab"], [[1]], [3], [(1000, 1000)], 7, None):
        assert _slots(to_wire(claimed)) == ()


def test_what_is_too_large_or_unknown_has_no_source() -> None:
    for value in (np.zeros(1000), list(range(1000)), object(), [object()]):
        with pytest.raises(NoSourceError):
            literal(value)
    assert evaluated(drawn(np.zeros(1000), DrawnForm())).shape == (1000,)
