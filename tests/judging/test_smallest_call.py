"""How the smallest call that goes wrong is written down."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import torch

from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.diagnosis.case_trial import CaseOutcome, CaseTrial
from autograder.judging.diagnosis.literals import call_code, tables_of
from autograder.judging.diagnosis.smallest import _order, _place, _raised_at, _texts, separate
from autograder.judging.verdict import SmallestCall, Status
from autograder.wire.messages import Call, CallEnvironment, Error, Outcome, Probe
from autograder.wire.tensors import to_wire
from autograder.wire.values import ConstructedObject, Module, Slot
from tests.support.made_calls import wire
from tests.support.made_trials import EXERCISE, check, ret, run

ROWS = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
LATE = Error(("ValueError",), "ids must be below 2", 3, "raise ValueError(...)")
MODULE = Module("Table", (), (), True)
WRONG = Finding(Status.FAILED)


def asked(name: str) -> Probe:
    return Probe(f"{EXERCISE}/{name}", EXERCISE, Call(EXERCISE, "f", ()))


def returned(value: Any, **keys: Any) -> Outcome:
    return Outcome("returned", value if isinstance(value, Module) else to_wire(value), **keys)


@pytest.mark.parametrize(
    ("right", "own", "expected", "actual"),
    [
        (returned(ROWS), returned(ROWS.T), "[[1., 2.], [3., 4.]]", "[[1., 3.], [2., 4.]]"),
        (returned(0.1234567), returned(0.1234568), "0.1234567", "0.1234568"),
        (
            returned(1),
            Outcome("raised", error=LATE),
            "1",
            "ValueError: ids must be below 2 (line 3: raise ValueError(...))",
        ),
        (Outcome("raised", error=LATE), returned(1), "ValueError", "1"),
        (Outcome("raised", error=LATE), returned(MODULE), "ValueError", "Table"),
        (
            returned(MODULE),
            Outcome("raised", error=Error(("KeyError",), "")),
            "no exception",
            "Key",
        ),
        (
            returned(1),
            returned(1, changed=(1,)),
            "every argument stays as it is",
            "the second argument is changed",
        ),
    ],
)
def test_both_results_are_written_so_that_they_differ(
    right: Outcome, own: Outcome, expected: str, actual: str
) -> None:
    texts = _texts(Call("e", "f", (to_wire(1),)), right, own)
    assert texts[0] == expected and texts[1].startswith(actual) and texts[2] == ()


def test_a_device_is_named_where_it_matters() -> None:
    there, here = (
        msgspec.structs.replace(to_wire(ROWS), device=device) for device in ("cuda", "cpu")
    )
    place = CallEnvironment("cuda", simulated=True, way="loaded")
    call = Call("e", "f", (to_wire(1),), place=place)
    texts = _texts(call, Outcome("returned", there), Outcome("returned", here))
    assert texts == ("[[1., 2.], [3., 4.]] on cuda", "[[1., 2.], [3., 4.]] on cpu", ())
    assert _place(call) == (
        "# with its arguments on a simulated accelerator, loaded from a state dict"
    )
    beside = CallEnvironment("cpu", simulated=True)
    assert "beside" in _place(msgspec.structs.replace(call, place=beside))
    for plain in (None, CallEnvironment(dtype="float64")):
        assert _place(msgspec.structs.replace(call, place=plain)) == ""


def test_the_line_of_an_exception_is_quoted_with_it_alone() -> None:
    function = check("function", call="f", inputs="numbers")
    trial = CaseTrial(function, (), {}, (asked("a"), asked("b")), {})
    assert _raised_at(trial, run({"a": ret(1), "b": Outcome("raised", error=LATE)})) == {3}
    assert _raised_at(trial, run({"a": ret(1)})) == frozenset()


def test_a_call_whose_right_result_is_empty_is_shown_if_no_other_is_wrong() -> None:
    function = check("function", call="f", inputs="numbers")
    right = Reference(run({"none": ret(torch.zeros(0, 2)), "some": ret(ROWS)}), {}, {})
    none, some = (
        CaseOutcome(CaseTrial(function, wire(*args), {}, (asked(name),), {}), WRONG)
        for name, args in (("none", (0, 2)), ("some", (2, 2, 7)))
    )
    assert _order(some, right) < _order(none, right) < (True,)


def test_an_object_that_cannot_be_made_has_one_small_call() -> None:
    assert separate(["A.forward", "A", "B.forward", "f"]) == ["A", "B.forward", "f"]


@pytest.mark.parametrize(
    ("own", "actual"), [(ROWS * 2, "[[2., 4.], [6., 8.]]"), (None, "no gradient")]
)
def test_a_gradient_says_of_what_it_is(own: Any, actual: str) -> None:
    call = Call("e", "f", (to_wire(1), to_wire(ROWS)), gradient=(1,))
    right, wrong = (returned(1, gradients=(to_wire(g),)) for g in (ROWS, own))
    expected, got, comment = _texts(call, right, wrong)
    assert (expected, got) == ("[[1., 2.], [3., 4.]]", actual)
    assert comment == (
        "# the gradient for the second argument",
        "# of a weighted sum of the result",
    )


def test_the_call_can_be_typed_in_and_comments_are_above_it() -> None:
    made = ConstructedObject("Table", (2, 2), (Slot(to_wire(ROWS)),))
    call = Call("e", "Table.forward", (made, to_wire(torch.tensor([0, 1]))))
    assert call_code(call) == "Table(2, 2)(torch.tensor([0, 1]))"
    assert tables_of(call) == "# with the table [[1., 2.], [3., 4.]]"
    assert tables_of(Call("e", "f", ())) == ""
    layer = to_wire(torch.nn.Embedding.from_pretrained(ROWS))
    assert call_code(Call("e", "f", (layer,))) == "f(nn.Embedding(2, 2))"
    assert tables_of(Call("e", "f", (layer,))) == "# with the table [[1., 2.], [3., 4.]]"
    small = SmallestCall(f"{tables_of(call)}\n{call_code(call)}", "1", "2")
    assert small.lines[:2] == (tables_of(call), call_code(call))
    assert small.lines[2:] == ("expected  1", "got       2")
