"""Whatever is done to a right submission: only code that was taken away costs points.

By ``make rest`` nearly every kind of damage once, through the ordinary pipeline; all with more
seeds, and the table, by ``make corruption``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.assignment.load import Loaded
from autograder.classroom.reference import prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext, PreparedClass
from autograder.judging.verdict import Status
from docs.tools.corruption import PAGE, abouts, main, table
from tests.support.corruption import Trial, attempt, outcome, short_limits
from tests.support.damage import sources
from tests.support.damage.changes import TABLE, together
from tests.support.damage.kinds import KINDS
from tests.support.damage.submission import (
    Base,
    Damaged,
    Kind,
    answers,
    dependents,
    right_submission,
)
from tests.support.tables import rows_beside

BY_NAME = {kind.name: kind for kind in KINDS}
# known not to be kept (docs/notebooks.md says why); the table shows what they cost
NOT_KEPT = frozenset({"deleted-too-early"})
ALIKE = ("wrap-", "style-", "top-")  # of these, every third kind
AT_ONCE = 12  # stray cells of so many kinds are put into one notebook
OTHER_ANSWERS = [name for names in TABLE["other_answers"] for name in names]


def quick_kinds() -> dict[str, Kind]:
    """What is tried here, by name; stray cells of several kinds one after the other."""
    kinds = [kind for kind in KINDS if kind.name not in NOT_KEPT]
    alike = [kind for kind in kinds if kind.name.startswith(ALIKE)]
    stray = [kind for kind in kinds if kind.name.startswith("stray-")]
    rest = [kind for kind in kinds if kind not in alike and kind not in stray]
    batches = [stray[at : at + AT_ONCE] for at in range(0, len(stray), AT_ONCE)]
    at_once = [
        Kind(" ".join(kind.name for kind in batch), together(*(kind.change for kind in batch)))
        for batch in batches
    ]
    return {kind.name: kind for kind in (*rest, *alike[::3], *at_once)}


QUICK = quick_kinds()


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


@pytest.mark.slow
@pytest.mark.parametrize("kind", QUICK.values(), ids=QUICK)
def test_only_code_that_was_taken_away_costs_points(
    quick: PreparedClass, base: Base, kind: Kind, tmp_path: Path
) -> None:
    assert attempt(quick, base, kind, 0, tmp_path).wrong == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHER_ANSWERS)
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


def test_the_right_submission_is_the_template_with_answers(
    flagship: Loaded, base: Base, mixed: Base
) -> None:
    exercises = [exercise.id for exercise in flagship.spec.exercise]
    assert [cell["metadata"]["exercise"] for cell in answers(base.notebook)] == exercises
    assert list(base.blank) == exercises and len(base.foreign) >= 10
    pairs = zip(answers(base.notebook), answers(mixed.notebook), strict=True)
    assert 2 <= sum(one["source"] != other["source"] for one, other in pairs) <= 10


BUILDING = {
    "given": "import torch",
    "first": "a = 1",
    "second": "def f():\n    return a + torch.ones(1)",
    "third": "b = f()",
    "fourth": "c = 2",
}


@pytest.mark.parametrize(
    ("cells", "lost", "spoiled"),
    [
        (BUILDING, "first", {"second": "uses `a`", "third": "uses `f`"}),
        (BUILDING, "fourth", {}),
        ({"given": "a = 0", "first": "a = 1", "second": "b = a"}, "first", {}),
        ({"first": "A = 1", "second": "A = f(A)"}, "first", {"second": "uses `A`"}),
        ({"first": "A = 1", "second": "A = 2\nB = A"}, "first", {}),
        ({"first": "q = w = 1", "second": "z = [w for w in v]\ndef f(q): return q"}, "first", {}),
        (
            {"first": "def f():\n    global g\n    g = 1", "second": "[g for w in v]"},
            "first",
            {"second": "uses `g`"},
        ),
        ({"first": "import a.b as c", "second": "c.d"}, "first", {"second": "uses `c`"}),
    ],
)
def test_what_builds_on_a_lost_answer_is_named_with_what_it_uses(
    cells: Mapping[str, str], lost: str, spoiled: Mapping[str, str]
) -> None:
    made = [
        {"cell_type": "code", "metadata": {"exercise": e} if e != "given" else {}, "source": s}
        for e, s in cells.items()
    ]
    assert dependents({"cells": made}, [lost]) == spoiled


def test_text_of_several_lines_stays_as_it_is_when_code_is_indented() -> None:
    source = 'x = """a\nb\n"""\nif x:\n    y = f"""c\n{x}"""'
    made: dict[str, object] = {}
    exec(f"if True:\n{sources.indented(source)}", made)
    assert (made["x"], made["y"]) == ("a\nb\n", "c\na\nb\n")
    assert sources.with_tabs(source) == 'x = """a\nb\n"""\nif x:\n\ty = f"""c\n{x}"""'


# ------------------------------------------------------------------ what a trial says


@pytest.mark.parametrize(("checks", "removed", "spoiled", "wrong"), rows_beside(__file__)["trials"])
def test_a_trial_says_what_should_not_be(
    checks: Mapping[str, str], removed: str, spoiled: str, wrong: list[str]
) -> None:
    """Of exercises with one check each."""
    exercises = [
        SimpleNamespace(id=e, checks=[SimpleNamespace(id="c", status=Status(s), message="m")])
        for e, s in checks.items()
    ]
    grade = SimpleNamespace(
        status="graded", reason="", score=1, max_score=2, bonus_max=0, exercises=exercises
    )
    damaged = Damaged(b"", removed=dict.fromkeys(removed), spoiled=dict.fromkeys(spoiled))
    assert outcome(KINDS[0], 0, damaged, grade).wrong == tuple(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("status", ["rejected", "ungraded"])
def test_a_submission_without_a_grade_is_wrong(status: str) -> None:
    grade: Any = SimpleNamespace(status=status, reason="why", score=1)
    assert outcome(KINDS[0], 0, Damaged(b""), grade).wrong == (f"{status}: why",)


# ------------------------------------------------------------------ the table


def test_the_table_has_a_row_for_each_kind_and_names_what_is_wrong() -> None:
    fine, worse = KINDS[1], KINDS[2]
    removed, lost = {"a": "x"}, {"a": "c failed", "b": "c failed"}
    trials = [
        Trial(fine, 0, Damaged(b"", removed=removed, spoiled={"b": "uses `q`"}), 0.5, lost),
        Trial(fine, 1, Damaged(b"", removed=removed), 0.75, {"a": "c failed"}),
        Trial(worse, 0, Damaged(b""), 0.9, {"a": "c failed"}),
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
