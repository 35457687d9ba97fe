"""Validation: a sound assignment passes, and each rule dies when what it guards is broken."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from autograder.assignment.load import load
from autograder.assignment.measured import write_measured
from autograder.assignment.pretrained import Offer
from autograder.authoring.validation.chance import at_most
from autograder.authoring.validation.mistake_naming import outcome
from autograder.authoring.validation.rules import diagnosis_problems
from autograder.authoring.validation.run import measured_tolerances, validate
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import Keys
from autograder.classroom.reference import make_context
from autograder.errors import SpecError
from autograder.execution.engines.local import Local
from autograder.judging.verdict import Cause, Mistake
from autograder.reports.validation.model import Validation
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import SMALL, write_course
from tests.support.progress import QUIET

TRIALS = TrialEngine(Local(2), QUIET)


class Validated(Protocol):
    """Validates the small course with some files' texts changed, or files added."""

    def __call__(
        self, *, added: Mapping[str, str] = ..., measuring: bool = ..., **changes: tuple[str, str]
    ) -> Validation: ...


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evidence")


@pytest.fixture
def validated(warm_box: LazyBox, evidence: Path, tmp_path: Path) -> Validated:
    def run(
        *, added: Mapping[str, str] = {}, measuring: bool = False, **changes: tuple[str, str]
    ) -> Validation:
        kept = tmp_path / "evidence"
        shutil.copytree(
            evidence, kept, dirs_exist_ok=True
        )  # what others ran already need not run again
        course = write_course(tmp_path / "course", {**SMALL, **added}, **changes)
        offer = Offer(None, "", frozenset(), ())
        context = make_context(course, offer, warm_box, seed=3, draw=False, evidence=kept)
        found = validate(context, TRIALS, measuring=measuring)
        shutil.copytree(kept, evidence, dirs_exist_ok=True)
        return found

    return run


def rules(found: Validation) -> set[str]:
    return {problem.rule for problem in found.problems}


def test_a_sound_assignment_has_no_problem(validated: Validated) -> None:
    found = validated()
    assert found.problems == ()
    assert found.valid
    assert found.rate >= 0.9
    assert found.mutants > 20
    assert [sum(counts) for counts in zip(*found.operators.values(), strict=True)] == [
        found.killed,
        found.mutants,
    ]
    sorts = {row.sort for row in found.rows}
    assert sorts == {"solution", "template", "trivial", "mistake", "equivalent", "mutant"}
    assert found.diagnosis == {"right": 4, "wrong": 0, "ambiguous": 0, "none": 0}


@pytest.mark.slow
def test_only_what_changed_is_run_again(warm_box: LazyBox, evidence: Path, tmp_path: Path) -> None:
    def once(name: str, **changes: tuple[str, str]) -> Validation:
        course = write_course(tmp_path / name, SMALL, **changes)
        offer = Offer(None, "", frozenset(), ())
        kept = tmp_path / "evidence"
        context = make_context(course, offer, warm_box, seed=3, draw=False, evidence=kept)
        keys = Keys(context.store)
        found = validate(replace(context, store=keys), TRIALS)
        keys.drop_others()
        return found

    first = once("one")
    assert first.ran > 40
    again = once("two")
    assert (again.ran, again.reused) == (0, first.ran + first.reused)
    assert again.rows == first.rows
    one_more = once("three", no_square=("center(table).sum", "center(table)[:, 1:].sum"))
    assert one_more.ran == 1
    loosened = once("four", measured=("4e-6", "5e-6"))
    assert loosened.ran == 1  # the changed mistake is put back; no tolerance runs anything


def test_a_solution_that_fails_is_the_first_problem(validated: Validated) -> None:
    found = validated(checks=("if not bool(", "if bool("))
    assert rules(found) == {"solution"}
    assert "center/finite" in found.problems[0].text


@pytest.mark.slow
def test_a_template_that_earns_is_found(validated: Validated) -> None:
    given = (
        "    # BEGIN SOLUTION\n    return (center(table) ** 2).sum(dim=1)\n    # END SOLUTION",
        "    # BEGIN SOLUTION\n    scale = 1\n    # END SOLUTION\n"
        "    return ((table - table.mean(dim=1, keepdim=True)) ** 2).sum(dim=1)",
    )
    found = validated(solution=given)
    assert "template" in rules(found)


def test_a_point_on_a_trivial_answer_is_found(validated: Validated) -> None:
    found = validated(assignment=('needs = ["example"]\nrelation', "relation"))
    assert rules(found) == {"trivial"}
    assert {problem.check for problem in found.problems} == {"center/finite"}


def test_a_mistake_that_nothing_notices_is_found(validated: Validated) -> None:
    found = validated(no_square=("center(table).sum(dim=1)", "(center(table) ** 2).sum(1)"))
    assert rules(found) == {"missed", "promise", "large loss"}  # it costs nothing any more
    assert found.problems[0].variant == "no_square"


def test_a_mistake_that_is_charged_elsewhere_is_found_unless_declared(
    validated: Validated,
) -> None:
    found = validated(columns=("# also: sizes\n", ""))
    assert rules(found) == {"elsewhere", "promise"}  # there is leave that nobody needs
    assert (found.problems[0].variant, found.problems[0].check) == ("columns", "sizes/sizes")


def test_a_right_answer_that_loses_is_found(validated: Validated) -> None:
    found = validated(wide=(".float()", ".half()"))
    assert "unfair" in rules(found)
    assert {p.variant for p in found.problems if p.rule == "unfair"} == {"wide"}


def test_a_right_answer_that_fails_a_small_call_is_found(validated: Validated) -> None:
    """The text may ask for tables of two rows or more; then the small calls must have them."""
    narrow = ("wide = table.double()", "wide = table.double() * (len(table) > 1)")
    found = validated(wide=narrow)
    assert rules(found) == {"small call"}
    first = found.problems[0]
    assert (first.variant, first.check) == ("wide", "center/example")
    assert "`center(torch.tensor([[1., 2.]]))` should give [[-0.5, 0.5]], not" in first.text
    own = """def small_table_small(rng):
    return [(torch.tensor([[1.0, 3.0], [2.0, 2.0]]),)]


tables_small = large_small = small_table_small


def small_table(rng)"""
    assert validated(wide=narrow, inputs=("def small_table(rng)", own)).problems == ()


def test_a_check_that_nothing_fails_is_found(validated: Validated) -> None:
    whole = SMALL["assignments/small/assignment.toml"]
    idle = whole.replace('relation = "center_is_finite"', 'relation = "nothing_wrong"')
    idle = idle.replace(
        '[[exercise]]\nid = "center"', '[[exercise]]\nid = "center"\nstateful = true'
    )
    checks = ("def end(call)", "def nothing_wrong(seen):\n    return iter(())\n\n\ndef end(call)")
    found = validated(assignment=(whole, idle), checks=checks)
    assert "idle" in rules(found)
    assert "center/finite" in {p.check for p in found.problems if p.rule == "idle"}


def test_a_dropped_check_lowers_the_kill_rate(validated: Validated) -> None:
    start = SMALL["assignments/small/assignment.toml"].index('[[exercise]]\nid = "sizes"')
    whole = SMALL["assignments/small/assignment.toml"][start:]
    only = whole[: whole.index('[[exercise]]\nid = "shrink"')]
    weak = only.replace('kind = "function"', 'kind = "relation"').replace(
        'call = "sizes"\ninputs = "tables"',
        'relation = "has_rows"\ncalls = [{ call = "sizes", inputs = "tables" }]',
    )
    checks = (
        "def end(call)",
        "def has_rows(seen):\n"
        '    for call in seen.calls("sizes", "tables"):\n'
        "        if not float(call.tensor().sum()) > 1:\n"
        '            yield "Too small."\n\n\ndef end(call)',
    )
    found = validated(assignment=(only, weak), checks=checks)
    assert "kill rate" in rules(found)
    assert "sizes" in {survivor.exercise for survivor in found.survivors}
    assert all("\n+" in survivor.diff and "\n-" in survivor.diff for survivor in found.survivors)


def test_a_loosened_tolerance_is_found(validated: Validated) -> None:
    found = validated(measured=("4e-6", "5.0"))
    assert "tolerance" in rules(found)
    said = next(p for p in found.problems if p.rule == "tolerance")
    assert said.check == "center/tables"
    assert "lets a wrong answer pass" in said.text


def test_a_tolerance_that_right_answers_cannot_meet_is_found(validated: Validated) -> None:
    found = validated(measured=("4e-6", "1e-9"))
    said = [p.text for p in found.problems if p.rule == "tolerance"]
    assert any("below what right answers need" in text for text in said)


def test_a_measured_tolerance_that_was_never_measured_is_found(validated: Validated) -> None:
    found = validated(measured=("center.tables", "center.others"))
    assert rules(found) == {"tolerance"}
    assert "run with --measure" in found.problems[0].text


def test_measuring_takes_a_value_inside_the_window(validated: Validated, tmp_path: Path) -> None:
    found = validated(measuring=True, measured=("center.tables", "center.others"))
    assert found.problems == ()
    window = next(w for w in found.windows if w.check == "center/tables")
    chosen, crowded = measured_tolerances(found, 4.0)
    assert crowded == []
    value = chosen["center/tables"]
    assert 4 * window.spread <= value.atol <= window.nearest / 4
    write_measured(tmp_path / "course/assignments/small", "small", chosen)
    loaded = load(tmp_path / "course/assignments/small")
    (check,) = [c for e in loaded.spec.exercise for c in e.check if c.id == "tables"]
    assert check.tolerance == value  # type: ignore[union-attr]
    assert "Margin 4" in value.why


def test_a_relation_that_breaks_on_an_odd_value_is_the_instructors_fault(
    validated: Validated,
) -> None:
    divides = (
        "if not bool(torch.isfinite(call.tensor()).all()):",
        "if 1 // int(torch.isfinite(call.tensor()).sum()):",
    )
    found = validated(checks=divides)
    said = [p for p in found.problems if p.rule == "ungraded"]
    assert ("overflow", "center/finite") in {(p.variant, p.check) for p in said}
    assert all("ZeroDivisionError" in p.text for p in said)


def test_a_false_alarm_rate_that_is_too_low_is_found(validated: Validated) -> None:
    found = validated(assignment=("false_alarm = 0.01", "false_alarm = 0.000001"))
    assert rules(found) == {"training"}
    assert "0 of 100 trainings" in found.problems[0].text


def test_a_miss_rate_that_is_too_low_is_found(validated: Validated) -> None:
    found = validated(assignment=("miss = 0.01", "miss = 0.000001"))
    assert rules(found) == {"training"}
    assert found.problems[0].variant == "no_steps"
    assert "0 of 100 trainings of this mistake" in found.problems[0].text


def test_a_miss_rate_needs_a_known_mistake(validated: Validated) -> None:
    good = ("    return [1.0 + seed] * 13", "    return [1.0 + seed] + [0.0] * 12")
    found = validated(no_steps=good)
    assert "no known mistake fails this check" in {
        p.text.partition(", but ")[2].partition(", so")[0] for p in found.problems
    }


def test_the_rates_and_the_trainings_that_it_takes_are_reported(validated: Validated) -> None:
    (rates,) = validated().trainings
    assert (rates.check, rates.right.good, [one.good for one in rates.wrong]) == (
        "shrink/shrink",
        100,
        [0],
    )
    assert rates.false_alarm <= 0.01 and rates.miss <= 0.01
    assert (rates.right_trainings, rates.wrong_trainings, rates.most) == (3, 3, 5)


def test_the_bound_on_bad_runs_is_that_of_clopper_and_pearson() -> None:
    assert at_most(0, 100) == pytest.approx(1 - 0.05 ** (1 / 100), rel=1e-6)
    assert at_most(5, 100) == pytest.approx(0.10225, abs=2e-4)  # tables of the binomial
    assert at_most(7, 7) == 1.0


def test_survivors_are_explained_from_the_assignments_folder(validated: Validated) -> None:
    some = validated().survivors
    assert some
    text = "".join(f'[[survivor]]\nmutant = "{s.name}"\nwhy = "It is the same."\n' for s in some)
    again = validated(added={"assignments/small/survivors.toml": text})
    assert all(s.why == "It is the same." for s in again.survivors)


def test_an_explanation_of_no_mutant_is_found(validated: Validated) -> None:
    text = '[[survivor]]\nmutant = "center-gone-12345678"\nwhy = "Its line has changed."\n'
    found = validated(added={"assignments/small/survivors.toml": text})
    assert [(p.rule, p.variant) for p in found.problems] == [("survivor", "center-gone-12345678")]


def test_an_unreadable_list_of_survivors_is_named(validated: Validated) -> None:
    with pytest.raises(
        SpecError, match=r"survivors.toml: survivor number 1, mutant: write text in"
    ):
        validated(added={"assignments/small/survivors.toml": "[[survivor]]\nmutant = 3"})


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("The sum of squares", "The root of the sum", "the template does not say 'The root"),
        ('broken_by = "no_square"', 'broken_by = "cubes"', "mutant of sizes is named 'cubes'"),
        ('["example", "tables"]', '["finite"]', "it does not fail although it breaks 'the"),
        ('["example", "tables"]', '["sums"]', "there is no check 'sums' in center"),
        ('["example", "tables"]', "[]", "no check is named for 'the mean of each row'"),
        ('exercise = "sizes"', 'exercise = "weights"', "there is no exercise 'weights'"),
        ('also = "sizes"', 'also = "shrink"', "no [[charged_again]] allows it"),
        ('also = "sizes"', 'also = "shrink"', "of center is charged again in shrink"),
        (
            "[[charged",
            '[[promise]]\nexercise = "sizes"\ntext = "mean"\nchecks = ["sizes"]\n'
            'broken_by = "no_square"\n\n[[charged',
            "no_square breaks 2 promises",
        ),
    ],
)
def test_a_promise_without_a_check_is_a_problem(
    validated: Validated, old: str, new: str, problem: str
) -> None:
    found = validated(promises=(old, new))
    assert rules(found) == {"promise"}
    assert problem in " ".join(p.text for p in found.problems)


def test_an_unreadable_table_of_promises_is_named(validated: Validated) -> None:
    with pytest.raises(SpecError, match=r"promises.toml: promise number 1, broken_by: this key"):
        validated(promises=('broken_by = "columns"', 'broken = "columns"'))


def test_more_than_half_of_an_exercise_is_lost_with_a_reason_alone(validated: Validated) -> None:
    found = validated(assignment=('mistakes = ["columns"]', 'mistakes = ["rows"]'))
    assert {(p.rule, p.variant) for p in found.problems} == {
        ("large loss", "columns"),
        ("large loss", ""),
    }
    stale = validated(assignment=('mistakes = ["no_*"]', 'mistakes = ["no_*", "no_root"]'))
    assert ["'no_root'" in p.text for p in stale.problems] == [True]


def test_a_mistake_that_is_told_as_another_one_is_counted_as_wrong() -> None:
    one, other = Mistake("one", "the one"), Mistake("other", "the other")
    assert outcome("one", [Cause("named", (one,))]) == "right"
    assert outcome("one", [Cause("named", (one,)), Cause("nothing")]) == "right"
    assert outcome("one", [Cause("ambiguous", (one, other))]) == "ambiguous"
    assert outcome("one", [Cause("nothing")]) == outcome("one", []) == "none"
    assert outcome("one", [Cause("named", (other,))]) == "wrong"
    assert outcome("one", [Cause("named", (one,)), Cause("named", (other,))]) == "wrong"
    assert outcome("one", [Cause("ambiguous", (other,))]) == "wrong"
    counts = {"right": 9, "wrong": 1, "ambiguous": 0, "none": 0}
    assert [p.rule for p in diagnosis_problems(counts)] == ["diagnosis"]
    assert list(diagnosis_problems({**counts, "wrong": 0})) == []
