"""From two runs to verdicts: points, needs, missing cells, and whose fault it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from autograder.assignment.model import Assignment
from autograder.evidence.records import CellRun, Run, Stop
from autograder.judging.checks.finding import Reference
from autograder.judging.judge import CellPlaces, judge
from autograder.judging.verdict import Status, Verdict
from autograder.wire.messages import CellDone, Error, Outcome
from tests.support.local_answers import assignment_of
from tests.support.made_trials import NO_TIME
from tests.support.made_trials import run as run_of

BOOM = Error(("NameError", "Exception"), "name 'pe' is not defined", 2, "x = pe + 1")
UNFILLED = Error(("NotImplementedError", "RuntimeError", "Exception"), "")
NO_MEMORY = Error(("MemoryError", "Exception"), "")
CPU = Stop("cpu", "It used more than 20 s of processor time.")
BUDGET = Stop("budget", "The time for the whole run was used up.")
GONE = Outcome("missing")


def check(id_: str, *, name: str = "x", **more: Any) -> dict[str, Any]:
    keys = {"title": f"the title of {id_}", "points": "1", "public": True, "kind": "value"}
    return {"id": id_, "name": name, **keys, **more}


def run(values: Mapping[str, Any], cells: Sequence[CellRun] = ()) -> Run:
    """A run of reads in exercise "ex"."""
    return replace(
        run_of({f"read/{name}": claim for name, claim in values.items()}), cells=tuple(cells)
    )


def cell(number: int, ending: Any = "well") -> CellRun:
    """A cell that ended well, raised, was stopped, or (None) never ran."""
    stop = ending if isinstance(ending, Stop) else None
    error = ending if isinstance(ending, Error) else None
    claim = None if stop or ending is None else CellDone((), error)
    return CellRun(number, claim, stop, NO_TIME)


def verdicts(
    spec: Assignment, actual: Run, expected: Run | None = None, **more: Any
) -> dict[str, Verdict]:
    expected = expected if expected is not None else run({"x": 1, "y": 1, "z": 1})
    reference = Reference(expected, unavailable=more.pop("unavailable", frozenset()))
    return {v.check: v for v in judge(spec, actual, reference, CellPlaces(**more))}


def only(actual: Run, **more: Any) -> Verdict:
    return verdicts(assignment_of(check("c")), actual, **more)["c"]


def test_a_passed_check_earns_its_points_in_thousandths() -> None:
    spec = assignment_of(check("a", points="0.125"), check("b", points="2", name="y", public=False))
    found = verdicts(spec, run({"x": 1, "y": 5}))
    right, wrong = found["a"], found["b"]
    assert (right.status, right.earned, right.possible) == (Status.PASSED, 125, 125)
    assert (wrong.status, wrong.earned, wrong.possible) == (Status.FAILED, 0, 2000)
    assert (wrong.exercise, wrong.kind, wrong.public) == ("ex", "value", False)
    assert wrong.message == "`y`: expected 1, got 5." and wrong.mismatches


def test_a_written_answer_waits_and_earns_nothing_yet() -> None:
    spec = assignment_of(check("w", kind="written", rubric="says why it is so"))
    (found,) = verdicts(spec, run({"x": "Because."})).values()
    assert (found.status, found.earned, found.possible) == (Status.MANUAL, 0, 1000)


def test_verdicts_keep_the_order_of_the_assignment_of() -> None:
    spec = assignment_of(check("a", needs=["c"]), check("b"), check("c"))
    assert list(verdicts(spec, run({"x": 1}))) == ["a", "b", "c"]


def test_judging_changes_nothing_and_repeats_itself() -> None:
    spec, actual = (
        assignment_of(check("a"), check("b", name="y", needs=["a"])),
        run({"x": 2, "y": 1}),
    )
    assert verdicts(spec, actual) == verdicts(spec, actual)


@pytest.mark.parametrize("claim", [GONE, 2, Outcome("raised", error=BOOM)])
def test_an_exercise_in_which_nothing_is_filled_in_is_not_attempted(claim: Any) -> None:
    """But for what is right, stopped, or our own fault."""
    assert only(run({"x": claim}), unanswered={"ex"}).status is Status.BLANK
    assert only(run({"x": claim}), unanswered={"another"}).status is not Status.BLANK
    assert only(run({"x": 1}), unanswered={"ex"}).status is Status.PASSED
    assert only(run({"x": CPU}), unanswered={"ex"}).status is Status.STOPPED


# ---------------------------------------------------------------- needs


def test_a_check_whose_need_passed_is_looked_at() -> None:
    spec = assignment_of(check("a"), check("b", name="y", needs=["a"]))
    assert verdicts(spec, run({"x": 1, "y": 1}))["b"].status is Status.PASSED


@pytest.mark.parametrize("x", [2, GONE, CPU, Outcome("raised", error=BOOM)])
def test_a_check_whose_need_did_not_pass_is_skipped(x: Any) -> None:
    spec = assignment_of(check("b", name="y", needs=["a"]), check("a"))
    found = verdicts(spec, run({"x": x, "y": 1}))["b"]
    assert (found.status, found.earned) == (Status.SKIPPED, 0)
    assert "the title of a" in found.message


def test_needs_are_followed_through() -> None:
    spec = assignment_of(
        check("c", name="z", needs=["b"]), check("b", name="y", needs=["a"]), check("a")
    )
    found = verdicts(spec, run({"x": 2, "y": 1, "z": 1}))
    assert [found[i].status.value for i in "abc"] == ["failed", "skipped", "skipped"]


def test_a_hidden_check_is_not_named_as_a_need() -> None:
    spec = assignment_of(check("a", public=False), check("b", name="y", needs=["a"]))
    found = verdicts(spec, run({"x": 2, "y": 1}))["b"]
    assert found.status is Status.SKIPPED and "the title of a" not in found.message


def test_a_need_that_is_ungraded_through_our_fault_costs_nobody() -> None:
    spec = assignment_of(check("a"), check("b", name="y", needs=["a"]))
    found = verdicts(spec, run({"y": 1}))
    assert (found["a"].status, found["b"].status) == (Status.UNGRADED, Status.UNGRADED)


def test_needs_in_a_circle_or_of_nothing_are_ungraded() -> None:
    circle = assignment_of(check("a", needs=["b"]), check("b", needs=["a"]), check("c"))
    found = verdicts(circle, run({"x": 1}))
    assert [found[i].status.value for i in "abc"] == ["ungraded", "ungraded", "passed"]
    nothing = assignment_of(check("a", needs=["nothing"]))
    assert verdicts(nothing, run({"x": 1}))["a"].status is Status.UNGRADED


# ---------------------------------------------------------------- our fault and theirs


def test_what_the_budget_did_not_reach_is_stopped() -> None:
    assert only(run({}, [cell(1), cell(2, BUDGET)])).status is Status.STOPPED
    assert only(run({}, [cell(1), cell(2, CPU)])).status is Status.UNGRADED


def test_an_exercise_that_the_box_cannot_run_is_left_out() -> None:
    spec = assignment_of(check("a"), check("b", name="y"), requires=["transformers"])
    found = verdicts(spec, run({"x": 1, "y": 1}), unavailable=frozenset({"ex"}))
    assert {v.status for v in found.values()} == {Status.SKIPPED}
    assert all("transformers" in v.message and v.earned == 0 for v in found.values())
    unnamed = only(run({"x": 1}), unavailable=frozenset({"ex"}))
    assert "what this exercise needs" in unnamed.message
    assert only(run({"x": 1}), unavailable=frozenset({"other"})).status is Status.PASSED


# ---------------------------------------------------------------- a missing name and its cell


def missing(*cells: CellRun, owners: tuple[int, ...] = (3, 5)) -> Verdict:
    return only(run({"x": GONE}, cells), owners={"ex": owners})


def test_a_missing_name_alone_says_so() -> None:
    found = missing(cell(3), cell(5))
    assert (found.status, found.message) == (Status.MISSING, "`x` is not defined.")
    assert only(run({"x": GONE})).message == "`x` is not defined."


def test_a_missing_name_is_traced_to_the_first_cell_of_its_exercise_that_raised() -> None:
    found = missing(cell(1, UNFILLED), cell(3), cell(5, BOOM))
    assert found.status is Status.BROKEN
    assert found.message == (
        "`x` is not defined. Cell 5 raised NameError: name 'pe' is not defined "
        "(line 2: `x = pe + 1`)."
    )
    assert "Cell 3 is not filled in yet." in missing(cell(3, UNFILLED), cell(5, BOOM)).message


def test_a_name_whose_cell_was_stopped_is_stopped() -> None:
    found = missing(cell(3, CPU), cell(5))
    assert found.status is Status.STOPPED
    assert found.message == (
        "`x` is not defined. Cell 3 was stopped: It used more than 20 s of processor time."
    )
    memory = missing(cell(3, NO_MEMORY))
    assert memory.status is Status.STOPPED and "memory" in memory.message


def test_a_name_whose_cell_never_ran_is_ungraded_unless_the_budget_ran_out() -> None:
    assert missing(cell(3, None)).status is Status.UNGRADED
    assert missing(cell(1, BUDGET), cell(3, None)).status is Status.STOPPED


def test_an_exercise_without_a_cell_says_so() -> None:
    assert "no cell for this exercise" in missing(owners=()).message


def test_a_cell_that_failed_takes_nothing_from_a_name_that_is_right() -> None:
    for ending in (BOOM, CPU, None):
        cells = [cell(3, ending), cell(5)]
        right = only(run({"x": 1}, cells), owners={"ex": (3, 5)})
        assert (right.status, right.message) == (Status.PASSED, "")
        wrong = only(run({"x": 2}, cells), owners={"ex": (3, 5)})
        assert (wrong.status, wrong.message) == (Status.FAILED, "`x`: expected 1, got 2.")
