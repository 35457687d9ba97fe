"""Every kind of check on runs made by hand: what passes, what fails, and in which words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import torch
from pydantic import TypeAdapter

from autograder.assignment.kinds import Check
from autograder.evidence.records import ProbeRun, Run, Stop
from autograder.judging.checks.aspects import DIVERGING, OTHERS, diverges, is_diverging
from autograder.judging.checks.carried_result import is_table
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import KINDS, examine, probes
from autograder.judging.checks.relation import RelationView, Wrong
from autograder.judging.verdict import Mismatch, Status
from autograder.runner.calls import outline
from autograder.wire.messages import Call, Error, Figures, Outcome, Read
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array, Entry, Figure, Items, Module, Opaque
from tests.support.made_trials import (
    ALL,
    BOOM,
    EXERCISE,
    MEASURED,
    NO_MEMORY,
    NO_TIME,
    PE,
    WORDS,
    check,
    colors,
    figure,
    figures,
    look,
    made,
    panel,
    record,
    ret,
    run,
    wire,
)
from tests.support.tables import evaluated, table_beside

WHY = "stated by this test"
PASSED, FAILED, RAISED = Status.PASSED, Status.FAILED, Status.RAISED
MISSING, STOPPED, UNGRADED, BLANK = Status.MISSING, Status.STOPPED, Status.UNGRADED, Status.BLANK


NONE = ret(None)
GONE = Outcome("missing")
UNFILLED = Error(("NotImplementedError", "RuntimeError", "Exception"), "")
CPU_STOP = Stop("cpu", "It used more than 20 s of processor time.")
BUDGET = Stop("budget", "The whole run took too long.")


# ---------------------------------------------------------------- probes


CASES = {"sizes": [(1, 2), (3, 4)]}


def ids(spec: Check) -> list[str]:
    return [probe.id for probe in probes(spec, EXERCISE, made(CASES))]


F, BOTH = {"call": "f", "inputs": "sizes"}, ["ex/call/f/sizes/0", "ex/call/f/sizes/1"]
ASKED: list[tuple[Check, list[str]]] = [
    (check("value", name="pe"), ["ex/read/pe"]),
    (
        check("value", name="pe", carried={"call": "f", "args": [20, 64]}),
        ["ex/read/pe", "ex/own/f/20,64"],
    ),
    (check("function", **F), BOTH),
    (check("gradient", **F, wrt=[0, 1]), [f"{id_}/gradient/0,1" for id_ in BOTH]),
    (check("speed", **F, at_most=60), [f"{id_}/time" for id_ in BOTH]),
    (check("raises", **F, error=["ValueError"]), BOTH),
    (check("relation", relation="r", reads=["a"], calls=[F]), ["ex/read/a", *BOTH]),
    (check("relation", relation="r", calls=[{**F, "optional": True}]), BOTH),
    (
        check("figure", shows="pe", aspects=["data"], carried={"call": "f", "args": [1, "a", 2.5]}),
        ["ex/figures", "ex/read/pe", "ex/own/f/1,'a',2.5"],
    ),
    (check("module", name="m", type="Embedding", table=[2, 3]), ["ex/read/m"]),
    (check("choice", name="a", options=["x", "y"]), ["ex/read/a"]),
    (check("written", name="a", rubric="says why it is so"), ["ex/read/a"]),
]


@pytest.mark.parametrize(("spec", "expected"), ASKED)
def test_probe_ids_follow_from_what_is_asked(spec: Check, expected: list[str]) -> None:
    assert ids(spec) == expected


def test_every_kind_of_the_specification_has_its_functions() -> None:
    schemas = TypeAdapter(Check).json_schema()["$defs"].values()
    stated = [schema["properties"].get("kind") for schema in schemas]
    assert {kind["const"] for kind in stated if kind} == set(KINDS)


def test_equal_probes_of_different_checks_are_equal_and_seeded_by_their_id() -> None:
    one = probes(check("function", **F), EXERCISE, made(CASES))
    other = probes(check("raises", **F, error=["E"]), EXERCISE, made(CASES))
    assert one == other
    seeds = {probe.request.seed for probe in one if isinstance(probe.request, Call)}
    assert len(seeds) == 2 and 0 not in seeds


def test_requests_say_what_is_wanted() -> None:
    (timed, _) = probes(check("speed", **F, at_most=60), EXERCISE, made(CASES))
    assert isinstance(timed.request, Call) and timed.request.discard
    (grad, _) = probes(check("gradient", **F, wrt=[1]), EXERCISE, made(CASES))
    assert isinstance(grad.request, Call) and grad.request.gradient == (1,)
    figures, name = probes(check("figure", shows="pe", aspects=["data"]), EXERCISE, {})
    assert figures.request == Figures(EXERCISE) and name.request == Read(EXERCISE, "pe")


# ---------------------------------------------------------------- what ends any check


VALUE = check("value", name="x")
FUNCTION = check("function", **F)
TABLE = torch.arange(6.0).reshape(3, 2)


def value(actual: Any, expected: Any = TABLE, **keys: Any) -> Finding:
    return look(check("value", name="x", **keys), {"read/x": actual}, {"read/x": expected})


def test_a_right_value_passes() -> None:
    assert value(TABLE) == Finding(PASSED)


@pytest.mark.parametrize(
    "claim, status, words",
    [
        (GONE, MISSING, "`x` is not defined."),
        (BOOM, RAISED, "`x` raised ValueError: boom (line 3: `return boom()`)."),
        (UNFILLED, BLANK, "`x` is not filled in yet."),
        (NO_MEMORY, STOPPED, "memory"),
        (Error(("MemoryError", "Exception"), ""), STOPPED, "memory"),
        (CPU_STOP, STOPPED, "processor time"),
        (None, UNGRADED, "no evidence"),
        (Opaque("ellipsis", "Ellipsis"), BLANK, "not filled in"),
        (Outcome("raised"), RAISED, "Exception"),
    ],
)
def test_a_claim_that_is_no_value_ends_the_check(claim: Any, status: Status, words: str) -> None:
    finding = value(claim)
    assert finding.status is status
    assert words in finding.message


def test_a_dtype_error_of_torch_is_not_an_unfilled_template() -> None:
    torchs = Error(("NotImplementedError", "RuntimeError"), "\"addmm\" not implemented for 'Long'")
    assert "not implemented for 'Long'" in value(torchs).message


def test_no_record_or_two_of_one_probe_are_ungraded() -> None:
    assert look(VALUE, {}, {"read/x": TABLE}).status is UNGRADED
    twice = Run((), (record("ex/read/x", ret(TABLE)),) * 2, MEASURED)
    finding = examine(VALUE, EXERCISE, twice, Reference(run({"read/x": TABLE})))
    assert finding.status is UNGRADED


def test_a_stop_beside_a_claim_counts_as_the_stop() -> None:
    both = Run((), (ProbeRun("ex/read/x", ret(TABLE), CPU_STOP, NO_TIME),), MEASURED)
    assert examine(VALUE, EXERCISE, both, Reference(run({"read/x": TABLE}))).status is STOPPED


def test_a_probe_that_the_runs_budget_did_not_reach_is_stopped() -> None:
    never = {"read/y": BUDGET, "read/x": None}
    finding = look(VALUE, never, {"read/x": TABLE})
    assert finding.status is STOPPED and "whole run" in finding.message
    assert look(VALUE, {"read/y": BUDGET}, {"read/x": TABLE}).status is STOPPED
    assert look(VALUE, {"read/y": CPU_STOP}, {"read/x": TABLE}).status is UNGRADED


SIDES: dict[str, tuple[Check, dict[str, Any]]] = {
    "value": (VALUE, {"read/x": TABLE}),
    "function": (FUNCTION, {"call/f/sizes/0": 1, "call/f/sizes/1": 2}),
    "gradient": (
        check("gradient", **F, wrt=[0]),
        {f"call/f/sizes/{n}/gradient/0": ret(1, gradients=(to_wire(TABLE),)) for n in (0, 1)},
    ),
    "relation": (check("relation", relation="r", reads=["x"]), {"read/x": 1}),
    "raises": (
        check("raises", **F, error=["ValueError"]),
        {"call/f/sizes/0": BOOM, "call/f/sizes/1": BOOM},
    ),
    "choice": (check("choice", name="x", options=["a", "b"]), {"read/x": "a"}),
    "module": (
        check("module", name="x", type="Embedding", table=[3, 2]),
        {"read/x": torch.nn.Embedding(3, 2)},
    ),
    "speed": (
        check("speed", **F, at_most=60),
        {"call/f/sizes/0/time": 1, "call/f/sizes/1/time": 2},
    ),
}


@pytest.mark.parametrize("spec, right", SIDES.values(), ids=SIDES)
@pytest.mark.parametrize("broken", [None, GONE, CPU_STOP, Outcome("raised"), "absent"])
def test_a_broken_reference_grades_nobody(spec: Check, right: dict[str, Any], broken: Any) -> None:
    relations = {"r": lambda seen: iter(())}
    assert look(spec, right, right, CASES, **relations).status is PASSED
    first = next(iter(right))
    rest = {id_: claim for id_, claim in right.items() if id_ != first}
    reference = rest if broken == "absent" else {first: broken, **rest}
    finding = look(spec, right, reference, CASES, **relations)
    assert finding.status is UNGRADED and finding.message
    finding = look(spec, {}, reference, CASES, **relations)
    assert finding.status is UNGRADED


def test_a_reference_that_raised_says_what() -> None:
    text = "The reference has no value for `x`: ValueError: boom (line 3: `return boom()`)."
    assert value(TABLE, BOOM).message == text
    both = Run((), (ProbeRun("ex/read/x", ret(TABLE), CPU_STOP, NO_TIME),), MEASURED)
    assert examine(VALUE, EXERCISE, run({"read/x": TABLE}), Reference(both)).status is UNGRADED


@pytest.mark.parametrize("kind", ["function", "gradient", "raises", "speed"])
def test_a_check_without_calls_does_not_pass(kind: str) -> None:
    spec, _ = SIDES[kind]
    assert look(spec, {}, {}, {"sizes": []}).status is UNGRADED
    assert look(spec, {}, {}, {}).status is UNGRADED


def test_a_reference_without_a_plain_shape_is_ungraded() -> None:
    odd = Opaque("Foo", "<Foo>")
    assert value(odd, odd).status is UNGRADED
    assert value("abc", "abc", number=True).status is UNGRADED
    results = {"call/f/sizes/0": odd, "call/f/sizes/1": 2}
    assert look(FUNCTION, results, results, CASES).status is UNGRADED


# ---------------------------------------------------------------- value


def test_a_wrong_value_is_explained_and_drawn() -> None:
    finding = value(TABLE + 0.5)
    assert finding.status is FAILED
    assert finding.message == (
        "`x`: all 6 numbers differ, largest difference 0.5 at [0, 0]: expected 0, got 0.5."
    )
    assert finding.picture is not None
    assert finding.picture.actual.shape == finding.picture.expected.shape == (3, 2)
    listed = value([[1.0, 2.0]], torch.zeros(2), leading_ones=True)
    assert listed.picture is not None and listed.picture.actual.shape == (2,)


NOT_DRAWN = [
    (TABLE.T, TABLE),
    (TABLE.int() + 1, TABLE.int()),
    (TABLE.int() + 1, TABLE),
    (TABLE + 1, TABLE.int()),
    ([TABLE[0] + 1, TABLE[1]], [TABLE[0], TABLE[1]]),
    (torch.ones(65_537), torch.zeros(65_537)),
    (torch.ones(1, 2, 1, 2, 2), torch.zeros(1, 2, 1, 2, 2)),
    (torch.ones(2, 2, 2), torch.zeros(2, 2, 2)),
    (1.0, 2.0),
    ("a", "b"),
]


def test_what_cannot_be_drawn_or_must_not_be_is_not() -> None:
    hidden = value(TABLE + 1, public=False)
    for finding in (hidden, *(value(actual, expected) for actual, expected in NOT_DRAWN)):
        assert finding.status is FAILED and finding.picture is None


def test_the_rules_of_a_value_check_are_used() -> None:
    assert value(TABLE.double()).status is PASSED
    stated = value(TABLE.double(), dtype="float32")
    assert stated.message == "`x`: the dtype is float64; expected float32."
    near = {"rtol": 0.0, "atol": 0.6, "why": WHY}
    assert value(TABLE + 0.5, tolerance=near).status is PASSED
    assert value(3.0, 3, number=True).status is PASSED
    assert value(TABLE[None], leading_ones=True).status is PASSED


CARRIED = check("value", name="x", carried={"call": "f", "args": [3, 2]})
OWN = TABLE * 2 + 1


def carried(value: Any, own: Any, spec: Check = CARRIED) -> Status:
    return look(spec, {"read/x": value, "own/f/3,2": own}, {"read/x": TABLE}).status


def test_an_earlier_mistake_is_not_charged_twice() -> None:
    assert carried(OWN, OWN) is PASSED
    assert carried(TABLE, OWN) is PASSED
    assert carried(OWN + 1, OWN) is FAILED


@pytest.mark.parametrize(
    "own",
    [
        torch.zeros(3, 2),
        torch.tensor([[1.0, 2], [3, 4], [1, 2]]),
        torch.tensor([[1.0, math.nan], [3, 4], [5, 6]]),
        torch.tensor([[1.0, math.inf], [3, 4], [5, 6]]),
        torch.arange(6.0),
        torch.ones(1, 2),
        torch.arange(3.0)[:, None],
        torch.tensor([[True, False], [False, True]]),
        torch.tensor([[1j, 2], [3, 4]]),
        7.0,
        "text",
        ret(None),
        Opaque("Foo", ""),
    ],
)
def test_a_carried_value_that_proves_nothing_does_not_count(own: Any) -> None:
    assert carried(own, own) is FAILED


def test_an_own_table_in_a_batch_of_one_counts() -> None:
    assert carried(OWN[None], OWN[None]) is PASSED
    assert carried(OWN, OWN[None]) is PASSED
    assert carried(OWN + 1, OWN[None]) is FAILED
    assert carried(torch.stack([OWN, OWN]), torch.stack([OWN, OWN])) is FAILED


@pytest.mark.parametrize("own", [BOOM, GONE, CPU_STOP, Outcome("raised", to_wire(OWN), BOOM), None])
def test_an_own_part_that_fails_does_not_count(own: Any) -> None:
    """Where its evidence is lost, nobody knows."""
    assert carried(OWN, own) is (FAILED if own is not None else UNGRADED)
    assert carried(TABLE, own) is PASSED


def test_a_table_too_large_to_look_for_equal_rows_does_not_count() -> None:
    rows = np.arange(4_000_002, dtype=np.float32).reshape(-1, 2)
    assert not is_table(to_wire(rows))
    assert is_table(to_wire(rows[:1000]))


def test_rows_that_pass_for_equal_do_not_count() -> None:
    assert carried(OWN * 1e-9, OWN * 1e-9) is FAILED
    assert carried(OWN + 1e9, OWN + 1e9) is FAILED
    stated = {"rtol": 0.0, "atol": 0.3, "why": WHY}
    wide = check("value", name="x", carried={"call": "f", "args": [3, 2]}, tolerance=stated)
    assert carried(OWN, OWN, wide) is PASSED
    assert carried(OWN / 4, OWN / 4, wide) is FAILED


def test_half_precision_does_not_blur_the_rows_of_an_own_table() -> None:
    own = 100 + 0.5 * torch.arange(3.0)[:, None].expand(3, 2)
    assert carried(own, own) is PASSED
    assert carried(own[:1].expand(3, 2).bfloat16(), own) is FAILED


def test_an_own_table_of_another_shape_is_not_searched_for_equal_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def search(*_: Any) -> bool:
        raise AssertionError("it was searched")

    monkeypatch.setattr("autograder.judging.checks.carried_result.is_table", search)
    assert carried(OWN, torch.rand(2000, 2)) is FAILED
    with pytest.raises(AssertionError, match="it was searched"):
        carried(OWN, OWN)


# ---------------------------------------------------------------- function


def calls(first: Any, second: Any, **more: Any) -> Finding:
    spec = check("function", **F, **more)
    reference = {"call/f/sizes/0": TABLE, "call/f/sizes/1": TABLE + 1}
    return look(spec, {"call/f/sizes/0": first, "call/f/sizes/1": second}, reference, CASES)


def test_wrong_calls_are_counted_and_the_first_is_explained() -> None:
    finding = calls(TABLE, TABLE.T)
    assert finding.status is FAILED
    assert finding.message == (
        "1 of 2 calls is wrong: `f(3, 4)`: the shape is [2, 3]; expected [3, 2]."
    )
    assert [m.where for m in finding.mismatches] == ["result of call 2"]
    assert calls(TABLE.T, None).message.startswith("1 of 2 calls is wrong: `f(1, 2)`")
    both = calls(TABLE + 1, BOOM)
    assert both.status is FAILED and both.message.startswith("2 of 2 calls are wrong.")
    assert both.picture is not None
    assert calls(TABLE + 1, BOOM, public=False).picture is None


def test_the_first_wrong_call_gives_the_status() -> None:
    assert calls(BOOM, TABLE).status is RAISED
    assert calls(TABLE, CPU_STOP).status is STOPPED
    assert calls(GONE, GONE).message == "`f` is not defined."
    assert calls(UNFILLED, UNFILLED).message == "`f` is not filled in yet."


def test_a_call_without_evidence_leaves_a_right_function_ungraded() -> None:
    assert calls(TABLE, TABLE + 1).status is PASSED
    assert calls(TABLE, None).status is UNGRADED
    assert calls(None, TABLE + 1).status is UNGRADED


def test_an_argument_that_is_changed_in_place_fails_the_check() -> None:
    finding = calls(ret(TABLE, changed=(1,)), TABLE + 1)
    assert finding.status is FAILED
    assert "`f(1, 2)` changes its second argument in place; use a copy." in finding.message
    assert [m.kind for m in finding.mismatches] == ["changed"]
    allowed = calls(ret(TABLE, changed=(1,)), TABLE + 1, may_change_inputs=True)
    assert allowed.status is PASSED


def test_a_function_that_returns_nothing_gets_a_hint() -> None:
    finding = calls(ret(None), ret(None))
    assert "it is None; expected a float32 tensor of shape [3, 2] (is a `return` missing?)" in (
        finding.message
    )


def test_arguments_are_told_in_short() -> None:
    spec = check("function", call="f", inputs="mixed")
    args = (20, 0.5, TABLE, [1, 2], "cat", torch.nn.Embedding(3, 2), ["word"] * 50, {"a": 1})
    finding = look(spec, {"call/f/mixed/0": 1}, {"call/f/mixed/0": 2}, {"mixed": [args]})
    assert finding.message == (
        "`f(20, 0.5, float32 [3, 2], [1, 2], 'cat', Embedding [3, 2], ['word', 'word', "
        "'word', 'word', 'word', 'word', 'word', 'word', 'word', 'word', …], {'a': 1})`: "
        "expected 2, got 1."
    )


# ---------------------------------------------------------------- module

MODULE = check("module", name="x", type="Embedding", table=[3, 2])


class Turned(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.anything = torch.nn.Parameter(torch.ones(2, 3))


class Special(torch.nn.Embedding):
    pass


def module(value: Any, **more: Any) -> Finding:
    spec = check("module", **{"name": "x", "type": "Embedding", "table": [3, 2], **more})
    return look(spec, {"read/x": value}, {"read/x": torch.nn.Embedding(3, 2)})


def test_a_module_is_known_by_its_class_and_its_table() -> None:
    assert module(torch.nn.Embedding(3, 2)).status is PASSED
    assert module(Special(3, 2)).status is PASSED
    normed = torch.nn.utils.parametrizations.weight_norm(torch.nn.Embedding(3, 2))
    assert module(normed).status is PASSED
    turned = check("module", name="x", type="Module", table=[3, 2])
    assert look(turned, {"read/x": Turned()}, {"read/x": Turned()}).status is PASSED


def test_a_library_embedding_with_rows_and_columns_swapped_is_wrong() -> None:
    wanted = check("module", name="x", type="Embedding", table=[3, 2])
    right, swapped = torch.nn.Embedding(3, 2), torch.nn.Embedding(2, 3)
    assert look(wanted, {"read/x": right}, {"read/x": right}).status is PASSED
    finding = look(wanted, {"read/x": swapped}, {"read/x": right})
    assert finding.status is FAILED and "swapped" in finding.message


def test_every_problem_of_a_module_is_told() -> None:
    finding = module(torch.nn.Linear(2, 5))
    assert finding.message == (
        "`x`: it is a module of type Linear; expected a module of type Embedding. "
        "`x` should have a table of shape [3, 2]; shapes that it has: [5, 2], [5]."
    )
    assert [m.kind for m in finding.mismatches] == ["type", "shape"]
    assert "it is a float32 tensor" in module(torch.ones(3, 2)).message
    assert "that it has: none" in module(torch.nn.Identity()).message


def test_a_table_must_be_able_to_learn_where_that_is_asked() -> None:
    frozen = torch.nn.Embedding(3, 2)
    frozen.weight.requires_grad_(False)
    buffered = torch.nn.Embedding(3, 2)
    del buffered.weight
    buffered.register_buffer("weight", torch.ones(3, 2))
    for still in (frozen, buffered):
        finding = module(still)
        assert finding.status is FAILED and "cannot learn" in finding.message
        assert module(still, learnable=False).status is PASSED


def test_a_buffer_cannot_learn_whatever_it_claims() -> None:
    array = to_wire(TABLE)
    assert isinstance(array, Array)
    lie = Module("Embedding", ("Embedding", "Module"), (Entry("w", "buffer", array, True),))
    assert "cannot learn" in module(lie).message


def test_a_reference_module_that_does_not_pass_itself_is_ungraded() -> None:
    wrong = {"read/x": torch.nn.Embedding(4, 2)}
    assert look(MODULE, {"read/x": torch.nn.Embedding(3, 2)}, wrong).status is UNGRADED


# ---------------------------------------------------------------- gradient


def gradient(*claimed: Any, expected: tuple[Any, ...] = (TABLE, TABLE + 1)) -> Finding:
    spec = check("gradient", call="f", inputs="one", wrt=[0, 2])
    id_ = "call/f/one/0/gradient/0,2"
    actual = {id_: ret(1, gradients=tuple(map(wire, claimed)))}
    reference = {id_: ret(1, gradients=tuple(map(wire, expected)))}
    return look(spec, actual, reference, {"one": [(1, 2, 3)]})


def test_right_gradients_pass() -> None:
    assert gradient(TABLE, TABLE + 1).status is PASSED


def test_a_wrong_gradient_is_explained() -> None:
    finding = gradient(TABLE, TABLE)
    assert finding.status is FAILED
    assert finding.message.startswith(
        "`f(1, 2, 3)`, gradient of the third argument: all 6 numbers differ"
    )
    assert gradient(torch.full((3, 2), math.nan), TABLE + 1).status is FAILED
    assert gradient(torch.ones(1), TABLE + 1).mismatches[0].kind == "shape"


@pytest.mark.parametrize(
    "claimed", [(None, TABLE + 1), ([None, {"w": None}], TABLE + 1), ([], TABLE + 1)]
)
def test_a_gradient_that_is_cut_off_is_told(claimed: Any) -> None:
    finding = gradient(*claimed)
    assert finding.status is FAILED
    assert "gradient of the first argument: no gradient reaches it" in finding.message


@pytest.mark.parametrize(
    "claim, status", [(GONE, MISSING), (BOOM, RAISED), (CPU_STOP, STOPPED), (None, UNGRADED)]
)
def test_a_gradient_of_a_call_that_failed_keeps_its_status(claim: Any, status: Status) -> None:
    spec, right = SIDES["gradient"]
    assert look(spec, dict.fromkeys(right, claim), right, CASES).status is status


def test_gradients_that_were_not_reported_do_not_pass() -> None:
    assert gradient().status is FAILED
    assert gradient(TABLE).status is FAILED


@pytest.mark.parametrize("expected", [(), (TABLE,), (None, TABLE), (TABLE, Opaque("Foo", ""))])
def test_a_reference_without_gradients_is_ungraded(expected: Any) -> None:
    assert gradient(TABLE, TABLE + 1, expected=expected).status is UNGRADED


def test_a_modules_gradients_are_compared_by_name() -> None:
    spec = check("gradient", call="f", inputs="one", wrt=[0])
    id_ = "call/f/one/0/gradient/0"
    right, wrong = ({id_: ret(1, gradients=(wire({"weight": TABLE + n}),))} for n in (0, 1))
    assert look(spec, right, right, {"one": [(1,)]}).status is PASSED
    finding = look(spec, wrong, right, {"one": [(1,)]})
    assert finding.mismatches[0].path == ("weight",)


# ---------------------------------------------------------------- raises


def refuses(
    claim: Any, *, error: tuple[str, ...] = ("ValueError",), expected: Any = BOOM
) -> Finding:
    spec = check("raises", call="f", inputs="one", error=error)
    return look(spec, {"call/f/one/0": claim}, {"call/f/one/0": expected}, {"one": [(7,)]})


def test_the_stated_exception_or_a_subclass_passes() -> None:
    assert refuses(BOOM).status is PASSED
    assert refuses(Error(("MyError", "ValueError", "Exception"), "")).status is PASSED
    assert refuses(BOOM, error=("TypeError", "ValueError")).status is PASSED


def test_another_exception_or_a_value_fails() -> None:
    other = refuses(Error(("TypeError", "Exception"), "no"))
    assert other.status is FAILED
    assert other.message == "`f(7)` raised TypeError: no; it should raise ValueError."
    value = refuses(ret(TABLE))
    assert value.message == (
        "`f(7)` returned a float32 tensor of shape [3, 2]; it should raise ValueError."
    )
    assert refuses(Outcome("raised")).status is FAILED
    nameless = refuses(Error((), "no")).mismatches[0]
    assert (nameless.expected, nameless.actual) == ("ValueError", "an exception")
    assert other.mismatches[0].actual == "TypeError"
    assert refuses(Outcome("returned", None, BOOM)).status is FAILED


def test_a_blank_template_passes_no_check_of_exceptions() -> None:
    boom = Error(("RuntimeError", "Exception"), "")
    for stated in (("RuntimeError",), ("Exception",)):
        finding = refuses(UNFILLED, error=stated, expected=boom)
        assert finding.status is BLANK and "not filled in" in finding.message
    stated = ("NotImplementedError",)
    assert refuses(UNFILLED, error=stated, expected=UNFILLED).status is PASSED


def test_a_call_that_ends_otherwise_keeps_its_status() -> None:
    assert refuses(GONE).status is MISSING
    assert refuses(CPU_STOP).status is STOPPED
    assert refuses(NO_MEMORY).status is STOPPED
    assert refuses(BOOM, expected=ret(1)).status is UNGRADED
    assert refuses(BOOM, expected=Error(("TypeError",), "")).status is UNGRADED


# ---------------------------------------------------------------- choice, written, speed


OPTIONS = ["first columns", "last columns"]


def choose(answer: Any, expected: Any = "first columns") -> Finding:
    spec = check("choice", name="x", options=OPTIONS)
    return look(spec, {"read/x": answer}, {"read/x": expected})


@pytest.mark.parametrize(
    "answer",
    ["first columns", " First  Columns\n", "'first columns'", "FIRST COLUMNS.", "“first columns”"],
)
def test_case_spaces_and_quotes_of_a_choice_do_not_count(answer: str) -> None:
    assert choose(answer).status is PASSED


@pytest.mark.parametrize("answer", ["", "  ", "...", ret(None), Opaque("ellipsis", "Ellipsis")])
def test_a_choice_that_was_not_made_is_missing(answer: Any) -> None:
    assert choose(answer).status is BLANK


@pytest.mark.parametrize("answer", ["first", "firstcolumns", 1, True, ["first columns"]])
def test_an_answer_beside_the_options_names_them(answer: Any) -> None:
    finding = choose(answer)
    assert finding.status is FAILED
    assert "'first columns' or 'last columns'" in finding.message


def test_a_wrong_choice_does_not_tell_the_right_one() -> None:
    finding = choose("last columns")
    assert finding.status is FAILED and "first" not in finding.message
    assert choose("last columns", expected="neither").status is UNGRADED


def written(answer: Any) -> Finding:
    return look(check("written", name="x", rubric="says why it is so"), {"read/x": answer}, {})


@pytest.mark.parametrize("answer", ["Because it grows.", ["one", "two"], "因为"])
def test_a_written_answer_waits_for_a_person(answer: Any) -> None:
    assert written(answer).status is Status.MANUAL


@pytest.mark.parametrize(
    "answer",
    ["", "  ...  ", "TODO", "Your answer here!", "...your answer here...", ret(None), [], "___"],
)
def test_a_placeholder_is_no_written_answer(answer: Any) -> None:
    assert written(answer).status is BLANK


def test_a_number_is_no_written_answer() -> None:
    assert written(5).status is FAILED
    assert written([1, "a"]).status is FAILED


PASSED_QUIETLY = Finding(PASSED)


def speed(seconds: tuple[float, float], usual: tuple[float, float], claim: Any = 1) -> Finding:
    spec = check("speed", **F, at_most=60)
    one, other = (
        Run(
            (),
            tuple(
                record(f"ex/call/f/sizes/{n}/time", what, cpu_s=cost)
                for n, cost in enumerate(costs)
            ),
            MEASURED,
        )
        for costs, what in ((seconds, claim), (usual, 1))
    )
    return examine(spec, EXERCISE, one, Reference(other, made(CASES)))


def test_cost_is_the_ratio_of_all_calls_together() -> None:
    assert speed((0.5, 0.5), (0.01, 0.01)).status is PASSED
    assert speed((7.5, 7.5), (0.125, 0.125)).status is PASSED
    finding = speed((1.0, 0.5), (0.01, 0.01))
    assert finding.status is FAILED
    assert "more than 60 times the processor time" in finding.message
    again = speed((1.1, 0.5), (0.01, 0.01))  # noise changes no byte of a verdict
    assert again == finding
    assert speed((0.59, 0.6), (0.01, 0.01)) == PASSED_QUIETLY
    assert speed((0.61, 0.6), (0.01, 0.01)).status is FAILED


def test_a_reference_too_quick_to_measure_is_counted_as_five_milliseconds() -> None:
    assert speed((0.1, 0.1), (0.0, 0.0)).status is PASSED
    assert speed((0.2, 0.2), (0.0, 0.0)).status is FAILED


def test_a_cost_that_is_no_number_does_not_pass() -> None:
    assert speed((math.nan, 0.1), (0.01, 0.01)).status is FAILED


def test_a_quick_failure_is_not_speed() -> None:
    assert speed((0.0, 0.0), (0.01, 0.01), claim=BOOM).status is RAISED
    assert speed((0.0, 0.0), (0.01, 0.01), claim=CPU_STOP).status is STOPPED
    assert speed((0.0, 0.0), (0.01, 0.01), claim=None).status is UNGRADED


LARGE = torch.sin(torch.arange(20_000.0)).reshape(100, 200)


def computed(result: Any, expected: Any = LARGE) -> Status:
    """What comes of a quick call whose outline is this result's."""
    spec = check("speed", **F, at_most=60)
    ids = [f"call/f/sizes/{n}/time" for n in (0, 1)]
    sides = ({id_: Outcome("returned", outline(r)) for id_ in ids} for r in (result, expected))
    return look(spec, *sides, CASES).status


class Hollow:
    shape, dtype = torch.Size([100, 200]), torch.float32


NOT_COMPUTED = {
    "nothing": None,
    "a shape without numbers": Hollow(),
    "a number": 0.0,
    "no items": [],
    "zeros": torch.zeros(100, 200),
    "turned": LARGE.T,
    "in a batch of one": LARGE[None],
    "rows in another order": LARGE.flip(0),
    "NaN": LARGE * math.nan,
    "one row in ten left out": torch.where(torch.arange(100)[:, None] < 90, LARGE, 0),
}


@pytest.mark.parametrize("result", NOT_COMPUTED.values(), ids=NOT_COMPUTED)
def test_what_was_not_computed_is_not_quick(result: Any) -> None:
    assert computed(result) is FAILED


def test_a_rounded_result_in_another_container_is_quick() -> None:
    for result in (LARGE, LARGE.numpy(), LARGE.double(), LARGE.half(), LARGE + 1e-3):
        assert computed(result) is PASSED
    assert computed((LARGE, {"a": LARGE}), [LARGE, {"a": LARGE}]) is PASSED
    assert computed((LARGE, 1), (LARGE, 2)) is FAILED
    assert computed(LARGE * 1e-6, LARGE * 1e-6) is PASSED
    assert computed(LARGE * 0, LARGE * 1e-6) is FAILED


DAYS = pd.date_range("2024-01-01", periods=400)
SALES = pd.DataFrame(
    {"city": ["Oslo", "Rome"] * 200, "day": DAYS, "sold": [True] * 399 + [None], "n": range(400)}
)
NO_NUMBERS = {
    "a text": SALES.assign(city=["Rome", *SALES["city"][1:]]),
    "a missing text": SALES.assign(city=[None, *SALES["city"][1:]]),
    "a time": SALES.assign(day=DAYS[::-1]),
    "a truth": SALES.assign(sold=True),
    "categories": SALES.assign(city=pd.Categorical(["Bern", "Rome"] * 200)),
    "a label of a column": SALES.rename(columns={"city": "town"}),
    "row labels": SALES.set_axis(DAYS[::-1]),
    "default row labels": SALES,
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_texts_times_and_labels_of_a_table_are_computed_too(name: str) -> None:
    expected = SALES.set_axis(DAYS) if "row labels" in name else SALES
    assert computed(NO_NUMBERS[name], expected) is FAILED
    assert computed([NO_NUMBERS[name]], [expected]) is FAILED


def test_a_table_in_other_dtypes_is_quick() -> None:
    other = SALES.astype({"city": "category", "day": "datetime64[s]", "sold": "boolean"})
    for result in (SALES, other, SALES.set_axis(DAYS), SALES.astype({"city": object})):
        assert computed(result, SALES) is PASSED
        assert computed({"a": [result]}, {"a": [SALES]}) is PASSED
    named, category = SALES.set_axis(SALES["city"]), SALES.set_axis(pd.Index(other["city"]))
    assert computed(category, named) is PASSED
    assert computed(SALES["city"], SALES["city"]) is PASSED


def test_of_a_large_result_only_some_numbers_leave_the_box() -> None:
    (_, shape), (_, numbers) = outline(torch.ones(1000, 1000)).items
    assert shape == Items("list", (1000, 1000)) and numbers.shape == (320,)
    (_, shape), (_, numbers) = outline(torch.ones(2, 0)).items
    assert shape == Items("list", (2, 0)) and numbers.shape == (0,)


def test_a_reference_whose_result_cannot_be_compared_measures_nobody() -> None:
    assert computed(Hollow(), Hollow()) is UNGRADED


# ---------------------------------------------------------------- relation


RELATION = check(
    "relation",
    relation="rel",
    reads=["x", "y"],
    calls=[F],
    tolerance={"rtol": 0.0, "atol": 0.1, "why": WHY},
)
SEEN = {"read/x": TABLE, "read/y": 2, "call/f/sizes/0": 3.0, "call/f/sizes/1": 7.0}


def relate(relation: Any, **changes: Any) -> Finding:
    claims = {**SEEN, **{id_.replace("__", "/"): claim for id_, claim in changes.items()}}
    return look(RELATION, claims, SEEN, CASES, rel=relation)


def test_a_relation_that_yields_nothing_passes() -> None:
    def rel(seen: RelationView) -> Iterator[str | Mismatch]:
        assert seen.tensor("x").dtype == torch.float32
        assert seen.value("y") == 2 and seen.number("y") == 2.0
        assert [call.args for call in seen.calls("f", "sizes")] == [(1, 2), (3, 4)]
        assert [call.number() for call in seen.calls("f", "sizes")] == [3.0, 7.0]
        assert seen.reference is not None and seen.reference.reference is None
        assert torch.equal(seen.reference.tensor("x"), seen.tensor("x"))
        assert seen.tolerance is not None and seen.tolerance.atol == 0.1
        yield from seen.differs("x", seen.tensor("x"), seen.reference.tensor("x") + 0.05)

    assert relate(rel).status is PASSED, relate(rel).message


def test_what_a_relation_yields_is_told() -> None:
    def rel(seen: RelationView) -> Iterator[str | Mismatch]:
        yield "The rows are not unique."
        yield from seen.differs("rows of x", seen.tensor("x"), torch.zeros(3, 2))

    finding = relate(rel)
    assert finding.status is FAILED
    assert finding.message == (
        "The rows are not unique. Rows of x: 5 of 6 numbers differ, largest difference 5 "
        "at [2, 1]: expected 0, got 5."
    )
    assert [m.kind for m in finding.mismatches] == ["other", "value"]


def test_the_mismatches_of_a_relation_are_bounded() -> None:
    def rel(seen: RelationView) -> Iterator[str]:
        while True:
            yield "Again."

    assert len(relate(rel).mismatches) == 50


def quiet(seen: RelationView) -> Iterator[str]:
    return iter(())


@pytest.mark.parametrize(
    "changes, status",
    [
        ({"read__x": GONE}, MISSING),
        ({"call__f__sizes__1": BOOM}, RAISED),
        ({"call__f__sizes__1": CPU_STOP}, STOPPED),
        ({"call__f__sizes__1": GONE}, MISSING),
        ({"read__y": None}, UNGRADED),
        ({"read__y": None, "call__f__sizes__1": BOOM}, RAISED),
    ],
)
def test_what_a_relation_needs_is_settled_first(changes: Any, status: Status) -> None:
    def rel(seen: RelationView) -> Iterator[str]:
        raise AssertionError("the relation must not run")

    assert relate(rel, **changes).status is status


def test_a_fault_of_the_relation_is_ours() -> None:
    def crashes(seen: RelationView) -> Iterator[str]:
        yield str(1 / 0)

    def late(seen: RelationView) -> Iterator[str]:
        yield "A sentence."
        raise RuntimeError("size of tensor a must match")

    finding = relate(crashes)
    assert finding.status is UNGRADED
    assert "`rel`" in finding.message and "ZeroDivisionError" in finding.message
    assert relate(late).status is UNGRADED
    assert relate(lambda seen: None).status is UNGRADED
    assert relate(lambda seen: iter([3])).status is UNGRADED
    assert relate(lambda seen: iter([""])).status is UNGRADED
    assert "does not define the relation `rel`" in look(RELATION, SEEN, SEEN, CASES).message
    assert look(RELATION, SEEN, SEEN, {"sizes": []}, rel=quiet).status is UNGRADED


def test_a_relation_sees_only_what_its_check_declares() -> None:
    assert relate(lambda seen: iter([seen.text("z")])).status is UNGRADED
    assert relate(lambda seen: iter(seen.calls("g", "sizes"))).status is UNGRADED
    assert "`calls`" in relate(lambda seen: iter(seen.calls("g", "sizes"))).message
    assert "`reads`" in relate(lambda seen: iter([seen.text("z")])).message


BFLOAT, WIDE = torch.bfloat16, torch.float64
EMBEDDING = torch.nn.Embedding.from_pretrained(TABLE)
ODD_KEYS = {(1, 2): "a", 3: "b", None: "c"}
# accessor -> expressions: what it is given, what it gives or says, and arguments besides the name
EVERY = table_beside(__file__)
ACCEPTED, REFUSED = EVERY["accepted"], EVERY["refused"]
SQUARE, THREE_BY_TWO = {"shape": (4, 4)}, {"rows": 3, "columns": 2}


def accessed(accessor: str, value: Any, **keys: Any) -> tuple[Finding, Any]:
    """A relation that uses an accessor on a value, and what it got."""
    got: list[Any] = []

    def relation(seen: RelationView) -> Iterator[str]:
        got.append(getattr(seen, accessor)("x", **keys))
        yield from ()

    return relate(relation, read__x=value), got[0] if got else None


@pytest.mark.parametrize("accessor", ACCEPTED)
def test_accessors_give_what_fits(accessor: str) -> None:
    for row in ACCEPTED[accessor]:
        value, expected, *keys = evaluated(row, globals())
        finding, got = accessed(accessor, value, **dict(*keys))
        assert finding.status is PASSED, finding.message
        if isinstance(expected, torch.Tensor):
            assert torch.equal(got, expected) and got.dtype == expected.dtype, value
        else:
            assert got == expected and type(got) is type(expected), value


def test_an_accessor_gives_the_type_of_a_module() -> None:
    assert accessed("module", torch.nn.Embedding(3, 2))[1].type == "Embedding"


@pytest.mark.parametrize("accessor", REFUSED)
def test_accessors_refuse_what_does_not_fit(accessor: str) -> None:
    for row in REFUSED[accessor]:
        value, words, *keys = evaluated(row, globals())
        finding, _ = accessed(accessor, value, **dict(*keys))
        assert finding.status is FAILED, finding.message
        assert words in finding.message and finding.message.startswith("`x`")


def test_the_results_of_calls_are_refused_in_the_same_way() -> None:
    finding = relate(
        lambda seen: iter([call.text() for call in seen.calls("f", "sizes")]),
        call__f__sizes__0="abc",
    )
    assert finding.message == "`f(3, 4)`: it is 7.0; expected text."


def test_a_reference_that_does_not_fit_is_our_fault() -> None:
    def rel(seen: RelationView) -> Iterator[str]:
        assert seen.reference is not None
        yield str(seen.reference.text("x"))

    finding = relate(rel)
    assert finding.status is UNGRADED and "reference" in finding.message


def test_a_call_tells_what_it_changed_and_its_arguments_are_fresh() -> None:
    def rel(seen: RelationView) -> Iterator[str]:
        first = seen.calls("f", "tables")[0]
        first.args[0].fill_(9)
        assert torch.equal(seen.calls("f", "tables")[0].args[0], TABLE)
        assert first.changed == (0,) and first.result == 1
        assert first.where == "f(float32 [3, 2])"
        yield from ()

    spec = check("relation", relation="r", calls=[{"call": "f", "inputs": "tables"}])
    claims = {"call/f/tables/0": ret(1, changed=(0,))}
    finding = look(spec, claims, claims, {"tables": [(TABLE,)]}, r=rel)
    assert finding.status is PASSED, finding.message


@pytest.mark.parametrize("claim", [GONE, BOOM, CPU_STOP, None, UNFILLED])
def test_an_optional_call_that_did_not_return_is_no_value(claim: Any) -> None:
    spec = check(
        "relation",
        relation="r",
        reads=["x"],
        calls=[{"call": "f", "inputs": "sizes", "optional": True}],
    )

    def rel(seen: RelationView) -> Iterator[str]:
        first, second = seen.calls("f", "sizes")
        assert second.number() == 7.0
        try:
            first.number()
        except Wrong:
            yield "It is not there."

    right = {"read/x": 1, "call/f/sizes/0": 3.0, "call/f/sizes/1": 7.0}
    assert look(spec, right, right, CASES, r=rel).status is PASSED
    finding = look(spec, {**right, "call/f/sizes/0": claim}, right, CASES, r=rel)
    assert (finding.status, finding.message) == (FAILED, "It is not there.")
    assert look(spec, {**right, "read/x": GONE}, right, CASES, r=rel).status is MISSING


def test_wrong_is_a_sentence() -> None:
    assert (
        str(Wrong(Mismatch("x", "shape", "[2]", "[3]"))) == "`x`: the shape is [3]; expected [2]."
    )


# ---------------------------------------------------------------- figure


@pytest.mark.parametrize(
    ("own", "counts"),
    [
        (PE + 1, True),
        (torch.where(PE.max() == PE, math.nan, PE), True),
        (torch.where(PE.max() == PE, math.inf, PE), False),
        (torch.full_like(PE, math.nan), False),
        (torch.zeros_like(PE), False),
        (PE[:-1] + 1, False),
        (PE.T + 1, False),
        ("text", False),
        (GONE, False),
    ],
)
def test_an_image_of_the_students_own_table_counts_if_the_check_says_so(
    own: Any, counts: bool
) -> None:
    """A mistake in the table is charged by another check."""
    shown = own if isinstance(own, torch.Tensor) else PE + 1
    for accepted in (True, False):
        spec = check("figure", shows="pe", aspects=["data"], own=accepted)
        actual = {"figures": figures(panel(shown)), "read/pe": own}
        finding = look(spec, actual, {"read/pe": PE})
        assert (finding.status is PASSED) is (counts and accepted)


def test_a_right_figure_passes_every_aspect() -> None:
    assert figure(panel()) == Finding(PASSED)
    assert figure(panel(PE.T, xlabel="Position", ylabel="Dimension")) == Finding(PASSED)
    assert figure(panel(PE + 1), panel()) == Finding(PASSED)
    assert figure(panel(zero_at=(0.52,))).status is PASSED
    assert figure(panel(zero_at=(0.48,))).status is PASSED
    assert figure(panel(colormaps=("coolwarm_r",))).status is PASSED


BAD_FIGURES = EVERY["figures"]


@pytest.mark.parametrize("name", BAD_FIGURES)
def test_each_aspect_has_its_own_sentence_and_is_charged_alone(name: str) -> None:
    row = BAD_FIGURES[name]
    bad, aspect, words = evaluated(row["panel"], globals()), row["aspect"], row["said"]
    finding = figure(bad)
    assert finding.status is FAILED
    assert words in finding.message
    assert len(finding.mismatches) == 1
    assert figure(bad, aspects=[aspect]).status is FAILED
    assert figure(bad, aspects=[a for a in ALL if a != aspect]).status is PASSED


@pytest.mark.parametrize(
    "labels",
    [
        ("depth", "place in the text"),
        ("i", "p"),
        ("Positional encoding dimension", "Position"),
        ("Column", "Token (row)"),
    ],
)
def test_labels_that_do_not_contradict_the_data_are_accepted(labels: tuple[str, str]) -> None:
    assert figure(panel(xlabel=labels[0], ylabel=labels[1])).status is PASSED


def test_without_words_any_labels_are_accepted() -> None:
    swapped = panel(xlabel="Position", ylabel="Dimension")
    assert figure(swapped, rows=[], columns=[]).status is PASSED


def test_the_words_of_one_axis_are_enough_to_contradict() -> None:
    finding = figure(panel(xlabel="p", ylabel="Dimension"), rows=[])
    assert finding.message == (
        "The labels do not match the data: the y axis runs along the rows of the expected `pe`, "
        "but is labelled 'Dimension'."
    )
    assert finding.mismatches[0].expected == "rows"


def test_a_square_table_may_lie_either_way() -> None:
    table = torch.tensor([[1.0, 2.0], [2.0, 3.0]])
    spec = check("figure", shows="pe", aspects=["data", "labels"], **WORDS)
    for labels in (("Dimension", "Position"), ("Position", "Dimension")):
        claims = {"figures": figures(panel(table, xlabel=labels[0], ylabel=labels[1]))}
        assert look(spec, claims, {"read/pe": table}).status is PASSED


def test_wrong_data_are_charged_once() -> None:
    finding = figure(panel(PE + 1), panel(torch.ones(2, 2), xlabel="", has_colorbar=(False,)))
    assert [m.kind for m in finding.mismatches] == ["value"]
    assert figure(panel(torch.ones(2, 2)), aspects=["labels", "colorbar"]).status is PASSED


def test_of_several_right_images_the_best_counts() -> None:
    assert figure(panel(xlabel="", colormaps=("viridis",)), panel()).status is PASSED
    finding = figure(panel(xlabel="", ylabel="", zero_at=(0.9,)), panel(xlabel=""))
    assert finding.message == "The x axis has no label."


def test_a_right_image_without_labels_is_not_helped_by_a_wrong_one_with_them() -> None:
    assert figure(panel(xlabel=""), panel(PE + 1), aspects=["labels"]).status is FAILED


def test_no_image_at_all_is_missing() -> None:
    empty = panel(images=(), colormaps=(), colors=(), zero_at=(), has_colorbar=())
    for none in (figure(), figure(empty), figure(panel(is_colorbar=True))):
        assert none.status is MISSING and "imshow" in none.message


def test_the_images_of_a_colour_bar_do_not_count() -> None:
    bar = panel(torch.linspace(0, 1, 256)[:, None], is_colorbar=True, xlabel="", ylabel="")
    both = Items("list", (Figure("", (panel(has_colorbar=(False,)), bar)),))
    spec = check("figure", shows="pe", aspects=ALL, **WORDS)
    assert look(spec, {"figures": both}, {"read/pe": PE}).status is PASSED


def test_an_incomplete_claim_on_a_figure_is_not_looked_at() -> None:
    assert figure(panel(colors=())).status is MISSING
    assert figure(panel(colors=(colors("RdBu"),) * 2)).status is PASSED
    odd = Items("list", (1, "text", Opaque("Foo", "")))
    spec = check("figure", shows="pe", aspects=["data"])
    assert look(spec, {"figures": odd}, {"read/pe": PE}).status is MISSING
    assert look(spec, {"figures": 5}, {"read/pe": PE}).status is MISSING


def test_an_image_that_lies_about_its_size_does_not_match() -> None:
    lie = Array("float64", (3, 4), b"12345678")
    assert figure(panel(images=(lie,))).status is FAILED


def test_the_students_own_table_may_be_shown() -> None:
    own = PE * 3 + torch.arange(3.0)[:, None]
    assert figure(panel(own), own=own).status is PASSED
    assert figure(panel(own.T, xlabel="Position", ylabel="Dimension"), own=own).status is PASSED
    assert figure(panel(own)).status is FAILED
    same = torch.ones(3, 4)
    assert figure(panel(same), own=same).status is FAILED
    assert figure(panel(own), own=None).status is UNGRADED
    assert figure(panel(), own=None).status is PASSED
    assert figure(panel(own), own=None, aspects=["labels"]).status is PASSED
    assert figure(panel(own), own=BOOM).status is FAILED
    assert figure(panel(), own=BOOM).status is PASSED


def test_a_stated_tolerance_is_used_for_the_data() -> None:
    near = {"rtol": 0.0, "atol": 0.6, "why": WHY}
    assert figure(panel(PE + 0.5), tolerance=near).status is PASSED


@pytest.mark.parametrize("shown", [torch.ones(3), PE > 0, "text", Opaque("Foo", ""), GONE, None])
def test_a_reference_that_is_no_table_is_ungraded(shown: Any) -> None:
    spec = check("figure", shows="pe", aspects=["data"])
    assert look(spec, {"figures": figures(panel())}, {"read/pe": shown}).status is UNGRADED


def test_figures_that_were_not_read_end_the_check() -> None:
    spec = check("figure", shows="pe", aspects=["data"])
    assert look(spec, {"figures": CPU_STOP}, {"read/pe": PE}).status is STOPPED
    assert look(spec, {"figures": None}, {"read/pe": PE}).status is UNGRADED
    assert look(spec, {"figures": GONE}, {"read/pe": PE}).status is MISSING


# ---------------------------------------------------------------- colours


def test_every_map_of_matplotlib_is_known_by_name() -> None:
    names = {name.removesuffix("_r") for name in mpl.colormaps if not name.startswith("my_")}
    assert names <= DIVERGING | OTHERS
    assert not DIVERGING & OTHERS


@pytest.mark.parametrize("name", sorted(DIVERGING))
def test_colours_alone_show_the_diverging_maps(name: str) -> None:
    if name in mpl.colormaps:
        assert is_diverging("my own", colors(name))
        assert is_diverging("my own", colors(f"{name}_r"))


@pytest.mark.parametrize("name", sorted(OTHERS - {"rainbow", "turbo"}))
def test_colours_alone_tell_other_maps_apart(name: str) -> None:
    if name in mpl.colormaps:
        assert not is_diverging("my own", colors(name))


@pytest.mark.parametrize(
    "stops, expected",
    [
        (["blue", "white", "red"], True),
        (["green", "black", "magenta"], True),
        (["white", "red"], False),
        (["blue", "white", "blue"], False),
        (["black", "gray", "white"], False),
        (["red", "red", "red"], False),
        (["indianred", "seagreen"], False),
    ],
)
def test_a_map_of_ones_own_is_judged_by_its_colours(stops: list[str], expected: bool) -> None:
    made_map = mpl.colors.LinearSegmentedColormap.from_list("mine", stops)
    assert diverges(made_map(np.linspace(0, 1, 9))[:, :3]) is expected


def test_a_name_of_matplotlib_decides_whatever_the_colours_say() -> None:
    assert is_diverging("RdBu_r", colors("viridis"))
    assert not is_diverging("turbo", colors("RdBu"))


@pytest.mark.parametrize("odd", [np.ones((9, 3)), np.full((9, 4), math.nan), np.ones(4)])
def test_colours_that_are_none_are_not_diverging(odd: Any) -> None:
    array = to_wire(odd)
    assert isinstance(array, Array)
    assert not is_diverging("mine", array)
    assert not is_diverging("mine", Array("float64", (9, 4), b"lie"))
