"""Validation: a sound assignment passes, and each rule dies when what it guards is broken.

A validation runs everything that its variants need, so that one course is broken in several places
at once, and what is worked out from results alone is asked of the sound course's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from autograder.assignment.load import load
from autograder.assignment.measured import write_measured
from autograder.assignment.pretrained import Offer
from autograder.authoring.validation.chance import at_most, training_problems
from autograder.authoring.validation.mistake_naming import outcome
from autograder.authoring.validation.promises import (
    large_loss_problems,
    promise_problems,
    read_promises,
)
from autograder.authoring.validation.rules import diagnosis_problems, window_problems
from autograder.authoring.validation.run import measured_tolerances, read_survivors, validate
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import Keys, TrialResult
from autograder.classroom.reference import make_context
from autograder.errors import SpecError
from autograder.execution.engines.local import Local
from autograder.judging.verdict import Cause, Mistake
from autograder.reports.validation.model import Problem, Validation
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import SMALL, write_course
from tests.support.progress import QUIET

TOML = SMALL["assignments/small/assignment.toml"]
NOT_MEASURED = ("center.tables", "center.others")  # what measured.toml holds is another check's


@dataclass(frozen=True)
class Kept(TrialEngine):
    """Keeps what was tried."""

    tried: list[TrialResult] = field(default_factory=list)

    def in_order(self, what: str, several: Sequence[Any], work: Callable[[Any], Any]) -> list[Any]:
        found = super().in_order(what, several, work)
        if what == "Trying variants":
            self.tried.extend(found)
        return found


TRIALS = TrialEngine(Local(2), QUIET)


Validated = Callable[..., Validation]


@pytest.fixture(scope="module")
def validated(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> Validated:
    """Validates the small course with some files' texts changed, or files added."""
    kept = tmp_path_factory.mktemp("evidence")  # what others ran already need not run again

    def run(
        *,
        added: Mapping[str, str] = {},
        trials: TrialEngine = TRIALS,
        measuring: bool = False,
        quick: bool = False,
        **changes: tuple[str, str],
    ) -> Validation:
        folder = tmp_path_factory.mktemp("course")
        course = write_course(folder, {**SMALL, **added}, **changes)
        offer = Offer(None, "", frozenset(), ())
        context = make_context(course, offer, warm_box, seed=3, draw=False, evidence=kept)
        return validate(context, trials, measuring=measuring, quick=quick)

    return run


@dataclass(frozen=True)
class Sound:
    """The small course as it is, what was found, and what was tried for it."""

    found: Validation
    tried: Sequence[TrialResult]


@pytest.fixture(scope="module")
def sound(validated: Validated) -> Sound:
    trials = Kept(Local(2), QUIET)
    return Sound(validated(trials=trials), trials.tried)


def rules(found: Validation) -> set[str]:
    return {problem.rule for problem in found.problems}


def of(found: Validation, rule: str) -> set[tuple[str, str]]:
    """Variants and checks of a rule's problems."""
    return {(one.variant, one.check) for one in found.problems if one.rule == rule}


@pytest.mark.slow
def test_a_sound_assignment_has_no_problem(sound: Sound) -> None:
    found = sound.found
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
def test_only_what_changed_is_run_again(warm_box: LazyBox, tmp_path: Path) -> None:
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


def test_each_careless_variant_and_check_is_found(validated: Validated) -> None:
    """A trivial answer that earns, mistakes that nothing notices or that are charged elsewhere, and
    a right answer that loses."""
    found = validated(
        assignment=('needs = ["example"]\nrelation', "relation"),
        no_square=("center(table).sum(dim=1)", "(center(table) ** 2).sum(1)"),
        no_steps=("    return [1.0 + seed] * 13", "    return [1.0 + seed] + [0.0] * 12"),
        columns=("# also: sizes\n", ""),
        wide=(".float()", ".half()"),
    )
    assert {check for _, check in of(found, "trivial")} == {"center/finite"}
    assert of(found, "missed") == {("no_square", ""), ("no_steps", "")}
    assert of(found, "elsewhere") == {("columns", "sizes/sizes")}
    assert {variant for variant, _ in of(found, "unfair")} == {"wide"}
    # what follows: leave that nobody needs, reasons for losses that are none, no wrong training
    assert {variant for variant, _ in of(found, "promise")} == {"", "no_square"}
    assert "no known mistake fails this check" in " ".join(p.text for p in found.problems)
    expected = {"trivial", "missed", "elsewhere", "unfair", "promise", "large loss", "training"}
    assert expected <= rules(found)
    others = {problem.variant for problem in found.problems if problem.rule not in expected}
    assert others == {"wide"}  # it meets neither a tolerance nor small calls


@pytest.mark.slow
def test_a_template_that_earns_is_found(validated: Validated) -> None:
    given = (
        "    # BEGIN SOLUTION\n    return (center(table) ** 2).sum(dim=1)\n    # END SOLUTION",
        "    # BEGIN SOLUTION\n    scale = 1\n    # END SOLUTION\n"
        "    return ((table - table.mean(dim=1, keepdim=True)) ** 2).sum(dim=1)",
    )
    assert "template" in rules(validated(solution=given, quick=True))


def test_a_right_answer_that_fails_a_small_call_is_found(validated: Validated) -> None:
    """The text may ask for tables of two rows or more; then small calls of the author's own must
    have them."""
    narrow = ("wide = table.double()", "wide = table.double() * (len(table) > 1)")
    found = validated(wide=narrow, quick=True)
    assert rules(found) == {"small call"}
    first = found.problems[0]
    assert (first.variant, first.check) == ("wide", "center/example")
    assert "`center(torch.tensor([[1., 2.]]))` should give [[-0.5, 0.5]], not" in first.text


@pytest.mark.slow
def test_checks_that_nothing_fails_or_that_hardly_look_are_found(validated: Validated) -> None:
    idle = TOML.replace('relation = "center_is_finite"', 'relation = "nothing_wrong"')
    idle = idle.replace('id = "center"\ntitle', 'id = "center"\nstateful = true\ntitle')
    weak = idle.replace(
        'kind = "function"\ntitle = "sizes of rows"', 'kind = "relation"\ntitle = "sizes of rows"'
    ).replace(
        'call = "sizes"\ninputs = "tables"\ntolerance = { rtol = 1e-6, atol = 1e-5, '
        'why = "Float32 sums of seven numbers." }',
        'relation = "has_rows"\ncalls = [{ call = "sizes", inputs = "tables" }]',
    )
    assert weak.count("relation = ") == 2
    checks = (
        "def end(call)",
        "def nothing_wrong(seen):\n    return iter(())\n\n\n"
        "def has_rows(seen):\n"
        '    for call in seen.calls("sizes", "tables"):\n'
        "        if not float(call.tensor().sum()) > 1:\n"
        '            yield "Too small."\n\n\ndef end(call)',
    )
    found = validated(assignment=(TOML, weak), checks=checks)
    assert ("", "center/finite") in of(found, "idle")
    assert "kill rate" in rules(found)
    assert "sizes" in {survivor.exercise for survivor in found.survivors}
    assert all("\n+" in survivor.diff and "\n-" in survivor.diff for survivor in found.survivors)


# ---------------------------------------------------------------- tolerances


@pytest.mark.parametrize(
    ("atol", "said"),
    [(4e-6, None), (5.0, "lets a wrong answer pass"), (1e-9, "below what right answers need")],
)
def test_a_tolerance_outside_its_window_is_found(
    sound: Sound, atol: float, said: str | None
) -> None:
    window = next(one for one in sound.found.windows if one.check == "center/tables")
    assert window.atol == 4e-6
    changed = structs.replace(window, atol=atol)
    found = [*window_problems([changed], frozenset(), measuring=False)]
    assert [problem.check for problem in found] == ["center/tables"] * (said is not None)
    assert all(said in problem.text for problem in found if said)


def test_measuring_takes_a_value_inside_the_window(validated: Validated, tmp_path: Path) -> None:
    missing = validated(measured=NOT_MEASURED, quick=True)
    assert rules(missing) == {"tolerance"}
    assert "run with --measure" in missing.problems[0].text
    found = validated(measuring=True, measured=NOT_MEASURED, quick=True)
    assert found.problems == ()
    window = next(w for w in found.windows if w.check == "center/tables")
    chosen, crowded = measured_tolerances(found, 4.0)
    assert crowded == []
    value = chosen["center/tables"]
    assert 4 * window.spread <= value.atol <= window.nearest / 4
    course = write_course(tmp_path, SMALL)
    write_measured(course.folder, "small", chosen)
    (check,) = [c for e in load(course.folder).spec.exercise for c in e.check if c.id == "tables"]
    assert check.tolerance == value  # type: ignore[union-attr]
    assert "Margin 4" in value.why


def test_a_relation_that_breaks_on_an_odd_value_is_the_instructors_fault(
    validated: Validated,
) -> None:
    divides = (
        "if not bool(torch.isfinite(call.tensor()).all()):",
        "if 1 // int(torch.isfinite(call.tensor()).sum()):",
    )
    found = validated(checks=divides, quick=True)
    said = [p for p in found.problems if p.rule == "ungraded"]
    assert ("overflow", "center/finite") in {(p.variant, p.check) for p in said}
    assert all("ZeroDivisionError" in p.text for p in said)


# ---------------------------------------------------------------- training


def test_the_rates_and_the_trainings_that_it_takes_are_reported(sound: Sound) -> None:
    (rates,) = sound.found.trainings
    assert (rates.check, rates.right.good, [one.good for one in rates.wrong]) == (
        "shrink/shrink",
        100,
        [0],
    )
    assert rates.false_alarm <= rates.stated_false_alarm == 0.01
    assert rates.miss <= rates.stated_miss == 0.01
    assert (rates.right_trainings, rates.wrong_trainings, rates.most) == (3, 3, 5)
    assert training_problems([rates]) == []


@pytest.mark.parametrize(
    ("changed", "variant", "said"),
    [
        ({"stated_false_alarm": 1e-6}, "solution", "0 of 100 trainings of the solution"),
        ({"stated_miss": 1e-6}, "no_steps", "0 of 100 trainings of this mistake"),
        ({"wrong": ()}, "", "no known mistake fails this check"),
    ],
)
def test_a_rate_that_is_too_low_or_cannot_be_measured_is_found(
    sound: Sound, changed: dict[str, Any], variant: str, said: str
) -> None:
    (rates,) = sound.found.trainings
    (problem,) = training_problems([structs.replace(rates, **changed)])
    assert (problem.rule, problem.variant) == ("training", variant)
    assert said in problem.text


def test_the_bound_on_bad_runs_is_that_of_clopper_and_pearson() -> None:
    assert at_most(0, 100) == pytest.approx(1 - 0.05 ** (1 / 100), rel=1e-6)
    assert at_most(5, 100) == pytest.approx(0.10225, abs=2e-4)  # tables of the binomial
    assert at_most(7, 7) == 1.0


# ---------------------------------------------------------------- what the author writes down

SURVIVOR = '[[survivor]]\nmutant = "{}"\nwhy = "It is the same."\n'


def test_survivors_are_explained_from_the_assignments_folder(
    validated: Validated, sound: Sound
) -> None:
    names = [survivor.name for survivor in sound.found.survivors]
    assert names
    text = "".join(map(SURVIVOR.format, [*names, "center-gone-12345678"]))
    found = validated(added={"assignments/small/survivors.toml": text})
    assert all(survivor.why == "It is the same." for survivor in found.survivors)
    assert [(p.rule, p.variant) for p in found.problems] == [("survivor", "center-gone-12345678")]


def test_an_unreadable_list_of_survivors_is_named(tmp_path: Path) -> None:
    file = {"assignments/small/survivors.toml": "[[survivor]]\nmutant = 3"}
    with pytest.raises(SpecError, match=r"survivors.toml: survivor number 1, mutant: write text"):
        read_survivors(write_course(tmp_path, SMALL | file))


def promised(sound: Sound, folder: Path, **changes: tuple[str, str]) -> list[Problem]:
    """What is said of changed promises, after the trials of the sound course."""
    loaded = write_course(folder, SMALL, **changes)
    template = next(one.what for one in sound.tried if one.what.sort == "template").submission
    found = promise_problems(loaded, read_promises(loaded), template, sound.tried, quick=False)
    return [*found, *large_loss_problems(loaded.spec, sound.found.rows)]


TWICE = """[[promise]]
exercise = "sizes"
text = "mean"
checks = ["sizes"]
broken_by = "no_square"

[[charged"""


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
        ("[[charged", TWICE, "no_square breaks 2 promises"),
    ],
)
def test_a_promise_without_a_check_is_a_problem(
    sound: Sound, tmp_path: Path, old: str, new: str, problem: str
) -> None:
    found = promised(sound, tmp_path, promises=(old, new))
    assert {one.rule for one in found} == {"promise"}
    assert problem in " ".join(one.text for one in found)


def test_an_unreadable_table_of_promises_is_named(tmp_path: Path) -> None:
    loaded = write_course(tmp_path, SMALL, promises=('broken_by = "columns"', 'broken = "columns"'))
    with pytest.raises(SpecError, match=r"promises.toml: promise number 1, broken_by: this key"):
        read_promises(loaded)


def test_more_than_half_of_an_exercise_is_lost_with_a_reason_alone(
    sound: Sound, tmp_path: Path
) -> None:
    assert promised(sound, tmp_path / "as it is") == []
    without = ('mistakes = ["columns"]', 'mistakes = ["rows"]')
    found = promised(sound, tmp_path / "without", assignment=without)
    assert [(p.rule, p.variant) for p in found] == [("large loss", "columns"), ("large loss", "")]
    stale = ('mistakes = ["no_*"]', 'mistakes = ["no_*", "no_root"]')
    (problem,) = promised(sound, tmp_path / "stale", assignment=stale)
    assert "'no_root'" in problem.text


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
