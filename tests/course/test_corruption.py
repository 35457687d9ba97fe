"""Whatever is done to a right submission: only code that was taken away costs points.

The first kind of damage of each family by default; by ``make rest`` nearly every kind once,
through the ordinary pipeline; all with more seeds, and the table, by ``make corruption``.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest

from autograder.assignment.load import Loaded
from autograder.classroom.reference import prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext, PreparedClass
from autograder.judging.verdict import Status
from docs.tools.corruption import PAGE, abouts, main, table
from tests.support.corruption import Trial, attempt, outcome, short_limits
from tests.support.damage import sources
from tests.support.damage.changes import together
from tests.support.damage.kinds import KINDS
from tests.support.damage.submission import (
    Base,
    Damaged,
    Kind,
    answers,
    code,
    dependents,
    given,
    right_submission,
    text,
)
from tests.support.selection import rarely

BY_NAME = {kind.name: kind for kind in KINDS}
# known not to be kept (docs/notebooks.md says why); the table shows what they cost
NOT_KEPT = frozenset({"deleted-too-early"})
ALIKE = ("wrap-", "style-", "top-")  # of these, every third kind
AT_ONCE = 12  # stray cells of so many kinds are put into one notebook
OTHER_ANSWERS = (
    "none",
    "metadata-stripped",
    "split-all-bare",
    "merge-all-bare",
    "answers-reversed",
    "shuffled-bare",
    "wrap-returned-bare",
    "plain-script",
    "bad-week-bare",
)


def at_once(kinds: Sequence[Kind]) -> Kind:
    """Several kinds one after the other on one notebook."""
    names = " ".join(kind.name for kind in kinds)
    return Kind(names, together(*(kind.change for kind in kinds)))


def quick_kinds() -> dict[str, Kind]:
    """What is tried here, by name."""
    kinds = [kind for kind in KINDS if kind.name not in NOT_KEPT]
    alike = [kind for kind in kinds if kind.name.startswith(ALIKE)]
    stray = [kind for kind in kinds if kind.name.startswith("stray-")]
    rest = [kind for kind in kinds if kind not in alike and kind not in stray]
    batches = [at_once(stray[at : at + AT_ONCE]) for at in range(0, len(stray), AT_ONCE)]
    return {kind.name: kind for kind in (*rest, *alike[::3], *batches)}


QUICK = quick_kinds()


def each_kind() -> list[Any]:
    """A parameter for each kind; ``make test`` tries the undamaged one, and the first of each
    family (``wrap-``, ...) of at least three."""
    families: dict[str, list[str]] = {}
    for name in QUICK:
        families.setdefault(name.partition("-")[0], []).append(name)
    by_default = {"none", *(names[0] for names in families.values() if len(names) >= 3)}
    return [
        pytest.param(kind, id=name, marks=() if name in by_default else pytest.mark.slow)
        for name, kind in QUICK.items()
    ]


@pytest.fixture(scope="module")
def quick(context: GradingContext) -> PreparedClass:
    """The reference alone; cells of submissions have short limits."""
    made = prepare_reference(context, Local(2), lambda what, total: None, mistakes=False)
    return replace(made, context=short_limits(context))


@pytest.fixture(scope="module")
def base(flagship: Loaded) -> Base:
    return right_submission(flagship, 0)


@pytest.fixture(scope="module")
def mixed(flagship: Loaded) -> Base:
    """Other right answers in the place of some."""
    return right_submission(flagship, 1)


@pytest.mark.parametrize("kind", each_kind())
def test_only_code_that_was_taken_away_costs_points(
    quick: PreparedClass, base: Base, kind: Kind, tmp_path: Path
) -> None:
    assert attempt(quick, base, kind, 0, tmp_path).wrong == ()


@pytest.mark.parametrize(
    "name",
    rarely(OTHER_ANSWERS, keep=1),
)
def test_nor_do_other_right_answers_lose_more(
    quick: PreparedClass, mixed: Base, name: str, tmp_path: Path
) -> None:
    assert attempt(quick, mixed, BY_NAME[name], 1, tmp_path).wrong == ()


def test_no_kind_is_left_out_but_some_of_those_that_differ_in_a_word() -> None:
    tried = {name for names in QUICK for name in names.split()}
    left = BY_NAME.keys() - tried - NOT_KEPT
    assert all(name.startswith(ALIKE) for name in left) and len(tried) > 250


# ------------------------------------------------------------------ the damages themselves


def test_every_damage_is_a_pure_function_that_does_something(base: Base) -> None:
    assert len(BY_NAME) == len(KINDS) >= 45
    before = json.dumps(base.notebook)
    whole = BY_NAME["none"].make(base, Random(0))
    for kind in KINDS:
        made = kind.make(base, Random(kind.name))
        assert made == kind.make(base, Random(kind.name)), kind.name
        assert ((made.data, made.name) != (whole.data, whole.name)) == (kind.name != "none")
    assert json.dumps(base.notebook) == before


def test_a_seed_chooses_where(base: Base) -> None:
    kind = BY_NAME["answer-deleted"]
    chosen = {frozenset(kind.make(base, Random(seed)).removed) for seed in range(20)}
    assert len(chosen) > 5


def test_the_right_submission_is_the_template_with_answers(flagship: Loaded, base: Base) -> None:
    exercises = [exercise.id for exercise in flagship.spec.exercise]
    assert [cell["metadata"]["exercise"] for cell in answers(base.notebook)] == exercises
    assert list(base.blank) == exercises
    for cell in answers(base.notebook):
        assert "YOUR CODE HERE" in base.blank[cell["metadata"]["exercise"]]
        assert "YOUR CODE HERE" not in cell["source"] and "SOLUTION" not in cell["source"]
    assert len(given(base.notebook)) >= 10 and len(text(base.notebook)) >= 10
    assert len(base.foreign) >= 10


def test_other_seeds_have_other_answers(base: Base, mixed: Base) -> None:
    pairs = zip(answers(base.notebook), answers(mixed.notebook), strict=True)
    assert 2 <= sum(one["source"] != other["source"] for one, other in pairs) <= 10


# ------------------------------------------------------------------ what follows from a loss


def notebook_of(**answers: str) -> dict[str, object]:
    """Cells of answers by exercise; ``given`` holds a given one."""
    cells = [
        {"cell_type": "code", "metadata": {"exercise": e} if e != "given" else {}, "source": s}
        for e, s in answers.items()
    ]
    return {"cells": cells}


def test_what_builds_on_a_lost_answer_is_named_with_what_it_uses() -> None:
    notebook = notebook_of(
        given="import torch",
        first="a = 1",
        second="def f():\n    return a + torch.ones(1)",
        third="b = f()",
        fourth="c = 2",
    )
    assert dependents(notebook, ["first"]) == {"second": "uses `a`", "third": "uses `f`"}
    assert dependents(notebook, ["fourth"]) == {}


def test_a_name_that_another_cell_defines_too_is_not_lost() -> None:
    notebook = notebook_of(given="a = 0", first="a = 1", second="b = a")
    assert dependents(notebook, ["first"]) == {}


def test_a_cell_that_takes_a_name_and_gives_it_back_still_needs_it() -> None:
    notebook = notebook_of(first="A = 1", second="A = f(A)")
    assert dependents(notebook, ["first"]) == {"second": "uses `A`"}
    assert sources.needed("A = 1\nB = A + C") == {"C"}


def test_names_of_a_cell() -> None:
    source = "import a.b as c\nfor x in y:\n    z = [w for w in v]\n\n\ndef f(q):\n    return q + r"
    assert sources.defined(source) == {"c", "x", "z", "f"}
    assert sources.used(source) == {"y", "v", "r"}
    assert sources.used_inside(source) == {"r"}
    assert sources.defined("def f():\n    global g\n    g = 1") == {"f", "g"}
    assert sources.defined("x = ") == set()


# ------------------------------------------------------------------ how code is changed


def test_a_figure_is_never_cut_in_two() -> None:
    source = "a = 1\nb = 2\nplt.figure()\nplt.plot(a)\nc = 3\nplt.show()"
    assert sources.blocks(source) == [
        "a = 1",
        "b = 2",
        "plt.figure()\nplt.plot(a)\nc = 3\nplt.show()",
    ]


def test_parts_make_up_the_whole(base: Base, mixed: Base) -> None:
    for cell in (*answers(base.notebook), *answers(mixed.notebook)):
        parts = sources.blocks(cell["source"])
        assert sources.unparsed("\n".join(parts)) == sources.unparsed(cell["source"])


def test_wrapped_answers_define_what_they_defined(base: Base, mixed: Base) -> None:
    for cell in (*answers(base.notebook), *answers(mixed.notebook)):
        for wrap in sources.WRAPS.keys() - {"async"}:  # symbol tables take no top-level await
            made = sources.wrapped(cell["source"], wrap)
            assert sources.defined(made) >= sources.defined(cell["source"]), wrap


def test_text_of_several_lines_stays_as_it_is_when_code_is_indented() -> None:
    source = 'x = """a\nb\n"""\nif x:\n    y = f"""c\n{x}"""'
    made: dict[str, object] = {}
    exec(f"if True:\n{sources.indented(source)}", made)
    assert (made["x"], made["y"]) == ("a\nb\n", "c\na\nb\n")
    assert sources.with_tabs(source) == 'x = """a\nb\n"""\nif x:\n\ty = f"""c\n{x}"""'


def test_what_an_answer_uses_goes_with_the_moved_imports(base: Base) -> None:
    for name in ("imports-moved", "imports-in-each"):
        notebook = json.loads(BY_NAME[name].make(base, Random(0)).data)
        cells = ["".join(cell["source"]) for cell in code(notebook)]
        there = set().union(*map(sources.defined, cells))
        needed = set().union(*(sources.used(cell["source"]) for cell in answers(base.notebook)))
        assert needed - there <= vars(builtins).keys()


# ------------------------------------------------------------------ what a trial says


def graded(status: str = "graded", **checks: str) -> SimpleNamespace:
    """A grade of exercises with one check each, by status."""
    exercises = [
        SimpleNamespace(
            id=exercise, checks=[SimpleNamespace(id="c", status=Status(s), message="m")]
        )
        for exercise, s in checks.items()
    ]
    grade = SimpleNamespace(
        status=status, reason="why", score=1, max_score=2, bonus_max=0, exercises=exercises
    )
    return SimpleNamespace(grade=grade)


def said(damaged: Damaged, grade: SimpleNamespace) -> str:
    return "; ".join(outcome(KINDS[0], 0, damaged, grade).wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("checks", "removed", "spoiled", "wrong"),
    [
        ({"a": "passed", "b": "manual"}, {}, {}, ""),
        ({"a": "failed", "b": "manual"}, {}, {}, "a lost c failed (m)"),
        ({"a": "passed", "b": "missing"}, {}, {}, "b lost c missing (m)"),
        ({"a": "missing", "b": "failed"}, {"a": ""}, {"b": ""}, ""),
        ({"a": "missing", "b": "failed"}, {"a": ""}, {}, "b lost c failed (m)"),
        ({"a": "passed", "b": "passed"}, {"a": ""}, {}, "a was removed and earned"),
        ({"a": "manual", "b": "passed"}, {"a": ""}, {}, "a was removed and earned"),
        ({"a": "ungraded"}, {}, {}, "a lost c ungraded (m)"),
    ],
)
def test_a_trial_says_what_should_not_be(
    checks: Mapping[str, str], removed: Mapping[str, str], spoiled: Mapping[str, str], wrong: str
) -> None:
    assert said(Damaged(b"", removed=removed, spoiled=spoiled), graded(**checks)) == wrong


@pytest.mark.parametrize("status", ["rejected", "ungraded"])
def test_a_submission_without_a_grade_is_wrong(status: str) -> None:
    assert said(Damaged(b""), graded(status)) == f"{status}: why"


def test_a_file_that_is_more_than_a_submission_is_wrong(
    quick: PreparedClass, base: Base, tmp_path: Path
) -> None:
    with ZipFile(packed := BytesIO(), "w") as archive:
        for name in ("one.ipynb", "two.ipynb"):
            archive.writestr(name, "{}")
    two = Kind("two", write=lambda nb: packed.getvalue(), files=["both.zip"])
    assert attempt(quick, base, two, 0, tmp_path).wrong == ("2 submissions were found",)


# ------------------------------------------------------------------ the table


def test_the_table_has_a_row_for_each_kind_and_names_what_is_wrong() -> None:
    fine, worse = KINDS[1], KINDS[2]
    trials = [
        Trial(
            fine,
            0,
            Damaged(b"", removed={"a": "x"}, spoiled={"b": "uses `q`"}),
            0.5,
            {"a": "c failed", "b": "c failed"},
            frozenset(),
        ),
        Trial(fine, 1, Damaged(b"", removed={"a": "x"}), 0.75, {"a": "c failed"}, frozenset()),
        Trial(worse, 0, Damaged(b""), 0.9, {"a": "c failed"}, frozenset()),
    ]
    made = table(trials, "Head", {fine.name: "this", worse.name: "that"})
    assert f"| {fine.name} | this | 2 | 1 exercise | 50 to 75 % | lost too: b uses `q` |" in made
    assert f"| {worse.name} | that | 1 | none | 90 % | WRONG: seed 0: a lost c failed |" in made
    assert "2 kinds of damage, 3 submissions; 1 scores are wrong." in made


def test_an_unknown_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--only", "none", "nonsense"])
    assert "no such kind: nonsense" in capsys.readouterr().err


def test_the_page_says_of_every_kind_what_it_is_and_what_became_of_it() -> None:
    page = PAGE.read_text("utf-8")
    said = abouts(page)
    assert list(said) == [kind.name for kind in KINDS] and all(said.values())
    wrong = {line.split(" | ")[0] for line in page.split("\n| ") if "WRONG" in line}
    assert wrong <= NOT_KEPT
