"""Whatever is done to a right hand-in: only code that was taken away costs points.

The first kind of damage of each family by default; by ``make rest`` nearly every kind once,
through the ordinary pipeline; all with more seeds, and the table, by ``make corruption``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
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
from tests.support import corruption
from tests.support.corruption import START, Trial, attempt, put_between, short_limits, table
from tests.support.damage import cut, gone, layout, names, wrapped
from tests.support.damage.catalogue import KINDS
from tests.support.damage.hand_in import (
    Base,
    Damaged,
    Kind,
    code,
    dependents,
    given,
    own,
    right_hand_in,
    text,
)
from tests.support.damage.many import together
from tests.support.selection import rarely

ROOT = Path(__file__).resolve().parents[2]
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


def quick_kinds() -> dict[str, Kind]:
    """What is tried here, by name."""
    kinds = [kind for kind in KINDS if kind.name not in NOT_KEPT]
    alike = [kind for kind in kinds if kind.name.startswith(ALIKE)]
    stray = [kind for kind in kinds if kind.name.startswith("stray-")]
    rest = [kind for kind in kinds if kind not in alike and kind not in stray]
    batches = [together(stray[at : at + AT_ONCE]) for at in range(0, len(stray), AT_ONCE)]
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
    """The reference alone; cells of hand-ins have short limits."""
    made = prepare_reference(context, Local(2), lambda what, total: None, mistakes=False)
    return replace(made, context=short_limits(context))


@pytest.fixture(scope="module")
def base(flagship: Loaded) -> Base:
    return right_hand_in(flagship, 0)


@pytest.fixture(scope="module")
def mixed(flagship: Loaded) -> Base:
    """Other right answers in the place of some."""
    return right_hand_in(flagship, 1)


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


def test_the_right_hand_in_is_the_template_with_answers(flagship: Loaded, base: Base) -> None:
    exercises = [exercise.id for exercise in flagship.spec.exercise]
    assert [cell["metadata"]["exercise"] for cell in own(base.notebook)] == exercises
    assert list(base.blank) == exercises
    for cell in own(base.notebook):
        assert "YOUR CODE HERE" in base.blank[cell["metadata"]["exercise"]]
        assert "YOUR CODE HERE" not in cell["source"] and "SOLUTION" not in cell["source"]
    assert len(given(base.notebook)) >= 10 and len(text(base.notebook)) >= 10
    assert len(base.foreign) >= 10


def test_other_seeds_have_other_answers(base: Base, mixed: Base) -> None:
    pairs = zip(own(base.notebook), own(mixed.notebook), strict=True)
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
    assert names.needed("A = 1\nB = A + C") == {"C"}


def test_names_of_a_cell() -> None:
    source = "import a.b as c\nfor x in y:\n    z = [w for w in v]\n\n\ndef f(q):\n    return q + r"
    assert names.defined(source) == {"c", "x", "z", "f"}
    assert names.used(source) == {"y", "v", "r"}
    assert names.used_inside(source) == {"r"}
    assert names.defined("def f():\n    global g\n    g = 1") == {"f", "g"}
    assert names.defined("x = ") == set()


# ------------------------------------------------------------------ how code is changed


def test_a_figure_is_never_cut_in_two() -> None:
    source = "a = 1\nb = 2\nplt.figure()\nplt.plot(a)\nc = 3\nplt.show()"
    assert cut.blocks(source) == ["a = 1", "b = 2", "plt.figure()\nplt.plot(a)\nc = 3\nplt.show()"]


def test_parts_make_up_the_whole(base: Base, mixed: Base) -> None:
    for cell in (*own(base.notebook), *own(mixed.notebook)):
        parts = cut.blocks(cell["source"])
        assert layout.unparsed("\n".join(parts)) == layout.unparsed(cell["source"])


def test_wrapped_answers_define_what_they_defined(base: Base, mixed: Base) -> None:
    wraps = dict(wrapped.BLOCKS)
    del wraps["async"]  # Python's symbol table takes no top-level await
    for cell in (*own(base.notebook), *own(mixed.notebook)):
        for about, wrap in wraps.values():
            assert names.defined(wrap(cell["source"])) >= names.defined(cell["source"]), about


def test_text_of_several_lines_stays_as_it_is_when_code_is_indented() -> None:
    source = 'x = """a\nb\n"""\nif x:\n    y = f"""c\n{x}"""'
    made: dict[str, object] = {}
    exec(f"if True:\n{layout.indented(source)}", made)
    assert (made["x"], made["y"]) == ("a\nb\n", "c\na\nb\n")
    assert layout.with_tabs(source) == 'x = """a\nb\n"""\nif x:\n\ty = f"""c\n{x}"""'


def test_what_an_answer_uses_goes_with_the_moved_imports(base: Base) -> None:
    kinds = [kind for kind in gone.KINDS if kind.name.startswith("imports-")]
    assert len(kinds) == 2
    for kind in kinds:
        notebook = json.loads(kind.make(base, Random(0)).data)
        sources = ["".join(cell["source"]) for cell in code(notebook)]
        there = set().union(*map(names.defined, sources))
        needed = set().union(*(names.used(cell["source"]) for cell in own(base.notebook)))
        assert needed - there <= set(dir(__builtins__)) | set(vars(__import__("builtins")))


# ------------------------------------------------------------------ what a trial says


def graded(status: str = "graded", **checks: str) -> SimpleNamespace:
    """A grade of exercises with one check each, by status."""
    exercises = [
        SimpleNamespace(
            id=exercise, checks=[SimpleNamespace(id="c", status=corruption.Status(s), message="m")]
        )
        for exercise, s in checks.items()
    ]
    grade = SimpleNamespace(
        status=status, reason="why", score=1, max_score=2, bonus_max=0, exercises=exercises
    )
    return SimpleNamespace(grade=grade)


def said(damaged: Damaged, outcome: SimpleNamespace) -> str:
    return "; ".join(corruption._trial(KINDS[0], 0, damaged, outcome).wrong)  # type: ignore[arg-type]


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
def test_a_hand_in_without_a_grade_is_wrong(status: str) -> None:
    assert said(Damaged(b""), graded(status)) == f"{status}: why"


def test_a_file_that_is_more_than_a_hand_in_is_wrong(
    quick: PreparedClass, base: Base, tmp_path: Path
) -> None:
    with ZipFile(packed := BytesIO(), "w") as archive:
        for name in ("one.ipynb", "two.ipynb"):
            archive.writestr(name, "{}")
    two = Kind("two", "", lambda base, random: Damaged(packed.getvalue(), name="both.zip"))
    assert attempt(quick, base, two, 0, tmp_path).wrong == ("2 hand-ins were found",)


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
    made = table(trials, "About")
    assert (
        f"| {fine.name} | {fine.about} | 2 | 1 exercise | 50 to 75 % | lost too: b uses `q` |"
        in made
    )
    assert (
        f"| {worse.name} | {worse.about} | 1 | none | 90 % | WRONG: seed 0: a lost c failed |"
        in made
    )
    assert "2 kinds of damage, 3 submissions; 1 scores are wrong." in made


def test_an_unknown_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        corruption.main(["--only", "none", "nonsense"])
    assert "no such kind: nonsense" in capsys.readouterr().err


def test_the_table_goes_between_its_marks() -> None:
    page = f"a\n{START}\nold\n{corruption.END}\nb\n"
    assert put_between(page, "new") == page.replace("old", "new")
    with pytest.raises(ValueError, match="has no"):
        put_between("a", "new")


def test_the_page_has_every_kind() -> None:
    page = (ROOT / "docs" / "notebooks.md").read_text()
    rows = [line for line in page.partition(START)[2].split("\n") if line.startswith("| ")][2:]
    listed = [tuple(part.strip() for part in row.split("|")[1:3]) for row in rows]
    assert listed == [(kind.name, kind.about.replace("|", "/")) for kind in KINDS]
    wrong = {row.split("|")[1].strip() for row in rows if "WRONG" in row}
    assert wrong <= NOT_KEPT
