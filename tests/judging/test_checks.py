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

from autograder.assignment.kinds import Check, Tolerance
from autograder.evidence.records import ProbeRun, Run, Stop
from autograder.judging.checks.aspects import DIVERGING, OTHERS, diverges, is_diverging
from autograder.judging.checks.carried_result import is_table
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import KINDS, examine, probes
from autograder.judging.checks.relation import RelationView, Wrong
from autograder.judging.verdict import Mismatch, Status
from autograder.runner.calls import outline
from autograder.wire.messages import Call, Error, Outcome
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
PASSED, FAILED, MISSING, UNGRADED = Status.PASSED, Status.FAILED, Status.MISSING, Status.UNGRADED
NONE, ODD = ret(None), Opaque("Foo", "<Foo>")
GONE = Outcome("missing")
UNFILLED = Error(("NotImplementedError", "RuntimeError", "Exception"), "")
TORCHS = Error(UNFILLED.types[:2], "\"addmm\" not implemented for 'Long'")
PLAIN = Error(("RuntimeError", "Exception"), "")
CPU_STOP = Stop("cpu", "It used more than 20 s of processor time.")
BUDGET = Stop("budget", "The whole run took too long.")
CASES = {"sizes": [(1, 2), (3, 4)]}
LAYER = torch.nn.Embedding(3, 2)
MIXED = {"mixed": [(20, 0.5, torch.ones(3, 2), [1, 2], "cat", LAYER, ["word"] * 50, {"a": 1})]}
F = {"call": "f", "inputs": "sizes"}
NEAR = {"rtol": 0.0, "atol": 0.6, "why": WHY}
EVERY = table_beside(__file__)


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


# ---------------------------------------------------------------- what is found, kind by kind

VALUE, FUNCTION = check("value", name="x"), check("function", **F)
MODULE = check("module", name="x", type="Embedding", table=[3, 2])
TABLE = torch.arange(6.0).reshape(3, 2)
ODD_RESULTS = {"call/f/sizes/0": ODD, "call/f/sizes/1": 2}
OWN = TABLE * 2 + 1
ROWS_APART = 100 + 0.5 * torch.arange(3.0)[:, None].expand(3, 2)
CARRIED = check("value", name="x", carried={"call": "f", "args": [3, 2]})
WIDE_CARRIED = CARRIED.model_copy(update={"tolerance": Tolerance(rtol=0.0, atol=0.3, why=WHY)})
LEARNING_BUFFER = Module(
    "Embedding", ("Embedding", "Module"), (Entry("w", "buffer", wire(TABLE), True),)
)
OPTIONS = ["first columns", "last columns"]
OWN_TABLE = PE * 3 + torch.arange(3.0)[:, None]


def value(actual: Any, expected: Any = TABLE, **keys: Any) -> Finding:
    return look(check("value", name="x", **keys), {"read/x": actual}, {"read/x": expected})


def carried(value: Any, own: Any, spec: Check = CARRIED) -> Finding:
    return look(spec, {"read/x": value, "own/f/3,2": own}, {"read/x": TABLE})


def calls(first: Any, second: Any, **more: Any) -> Finding:
    spec = check("function", **F, **more)
    reference = {"call/f/sizes/0": TABLE, "call/f/sizes/1": TABLE + 1}
    return look(spec, {"call/f/sizes/0": first, "call/f/sizes/1": second}, reference, CASES)


class Turned(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.anything = torch.nn.Parameter(torch.ones(2, 3))


class Special(torch.nn.Embedding):
    pass


def frozen() -> torch.nn.Module:
    made = torch.nn.Embedding(3, 2)
    made.weight.requires_grad_(False)
    return made


def buffered() -> torch.nn.Module:
    made = torch.nn.Embedding(3, 2)
    del made.weight
    made.register_buffer("weight", torch.ones(3, 2))
    return made


def module(value: Any, **more: Any) -> Finding:
    spec = check("module", **{"name": "x", "type": "Embedding", "table": [3, 2], **more})
    return look(spec, {"read/x": value}, {"read/x": torch.nn.Embedding(3, 2)})


def gradient(*claimed: Any, expected: tuple[Any, ...] = (TABLE, TABLE + 1)) -> Finding:
    spec = check("gradient", call="f", inputs="one", wrt=[0, 2])
    id_ = "call/f/one/0/gradient/0,2"
    actual = {id_: ret(1, gradients=tuple(map(wire, claimed)))}
    reference = {id_: ret(1, gradients=tuple(map(wire, expected)))}
    return look(spec, actual, reference, {"one": [(1, 2, 3)]})


def by_name(off: int) -> Finding:
    """The gradient of a module, right but for what is added to it."""
    spec = check("gradient", call="f", inputs="one", wrt=[0])
    id_ = "call/f/one/0/gradient/0"
    right, own = ({id_: ret(1, gradients=(wire({"weight": TABLE + n}),))} for n in (0, off))
    return look(spec, own, right, {"one": [(1,)]})


def of_call(claim: Any) -> Finding:
    spec, right = SIDES["gradient"]
    return look(spec, dict.fromkeys(right, claim), right, CASES)


def refuses(
    claim: Any, *, error: tuple[str, ...] = ("ValueError",), expected: Any = BOOM
) -> Finding:
    spec = check("raises", call="f", inputs="one", error=error)
    return look(spec, {"call/f/one/0": claim}, {"call/f/one/0": expected}, {"one": [(7,)]})


def choose(answer: Any, expected: Any = "first columns") -> Finding:
    spec = check("choice", name="x", options=OPTIONS)
    return look(spec, {"read/x": answer}, {"read/x": expected})


def written(answer: Any) -> Finding:
    return look(check("written", name="x", rubric="says why it is so"), {"read/x": answer}, {})


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


LARGE = torch.sin(torch.arange(20_000.0)).reshape(100, 200)


def computed(result: Any, expected: Any = LARGE) -> Finding:
    """What comes of a quick call whose outline is this result's."""
    spec = check("speed", **F, at_most=60)
    ids = [f"call/f/sizes/{n}/time" for n in (0, 1)]
    sides = ({id_: Outcome("returned", outline(r)) for id_ in ids} for r in (result, expected))
    return look(spec, *sides, CASES)


class Hollow:
    shape, dtype = torch.Size([100, 200]), torch.float32


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


def quiet(seen: RelationView) -> Iterator[str]:
    return iter(())


def never(seen: RelationView) -> Iterator[str]:
    raise AssertionError("what a relation needs is settled first")


def crashes(seen: RelationView) -> Iterator[str]:
    yield str(1 / 0)


def late(seen: RelationView) -> Iterator[str]:
    yield "A sentence."
    raise RuntimeError("size of tensor a must match")


def square(xlabel: str, ylabel: str) -> Finding:
    table = torch.tensor([[1.0, 2.0], [2.0, 3.0]])
    spec = check("figure", shows="pe", aspects=["data", "labels"], **WORDS)
    claims = {"figures": figures(panel(table, xlabel=xlabel, ylabel=ylabel))}
    return look(spec, claims, {"read/pe": table})


def with_bar() -> Finding:
    bar = panel(torch.linspace(0, 1, 256)[:, None], is_colorbar=True, xlabel="", ylabel="")
    both = Items("list", (Figure("", (panel(has_colorbar=(False,)), bar)),))
    return look(
        check("figure", shows="pe", aspects=ALL, **WORDS), {"figures": both}, {"read/pe": PE}
    )


def shown(claim: Any, reference: Any = PE) -> Finding:
    spec = check("figure", shows="pe", aspects=["data"])
    return look(spec, {"figures": claim}, {"read/pe": reference})


FOUND = [
    pytest.param(status, row, id=f"{what}: {name}")
    for what, by_status in EVERY["findings"].items()
    for status, rows in by_status.items()
    for name, row in rows.items()
]


@pytest.mark.parametrize(("status", "row"), FOUND)
def test_what_a_check_finds(status: str, row: str | list[str]) -> None:
    expression, words = row if isinstance(row, list) else (row, "")
    found = evaluated(expression, globals() | {"NO_MEMORY": NO_MEMORY})
    assert (found.status.value, words in found.message) == (status, True), found.message
    assert status != "passed" or found.picture is None


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


def test_two_records_of_one_probe_or_a_stop_beside_a_claim_are_no_answer() -> None:
    right = Reference(run({"read/x": TABLE}))
    twice = Run((), (record("ex/read/x", ret(TABLE)),) * 2, MEASURED)
    assert examine(VALUE, EXERCISE, twice, right).status is UNGRADED
    both = Run((), (ProbeRun("ex/read/x", ret(TABLE), CPU_STOP, NO_TIME),), MEASURED)
    assert examine(VALUE, EXERCISE, both, right).status is Status.STOPPED
    assert examine(VALUE, EXERCISE, right.run, Reference(both)).status is UNGRADED


@pytest.mark.parametrize("kind", ["function", "gradient", "raises", "speed"])
def test_a_check_without_calls_does_not_pass(kind: str) -> None:
    spec, _ = SIDES[kind]
    assert look(spec, {}, {}, {"sizes": []}).status is UNGRADED
    assert look(spec, {}, {}, {}).status is UNGRADED


# ---------------------------------------------------------------- pictures, and what is not said


def test_a_wrong_value_is_drawn() -> None:
    finding = value(TABLE + 0.5)
    assert finding.picture is not None
    assert finding.picture.actual.shape == finding.picture.expected.shape == (3, 2)
    listed = value([[1.0, 2.0]], torch.zeros(2), leading_ones=True)
    assert listed.picture is not None and listed.picture.actual.shape == (2,)
    assert calls(TABLE + 1, BOOM).picture is not None
    assert calls(TABLE + 1, BOOM, public=False).picture is None


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


def test_a_wrong_choice_does_not_tell_the_right_one() -> None:
    assert "first" not in choose("last columns").message


@pytest.mark.parametrize("own", EVERY["proves nothing"])
def test_a_carried_value_that_proves_nothing_does_not_count(own: str) -> None:
    made = evaluated(own, globals())
    assert carried(made, made).status is FAILED


def test_a_table_too_large_to_look_for_equal_rows_does_not_count() -> None:
    rows = np.arange(4_000_002, dtype=np.float32).reshape(-1, 2)
    assert not is_table(to_wire(rows))
    assert is_table(to_wire(rows[:1000]))


# ---------------------------------------------------------------- speed


def test_noise_of_the_clock_changes_no_byte_of_a_verdict() -> None:
    assert speed((1.0, 0.5), (0.01, 0.01)) == speed((1.1, 0.5), (0.01, 0.01))


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
    assert computed(result).status is FAILED


def test_a_rounded_result_in_another_container_is_quick() -> None:
    for result in (LARGE, LARGE.numpy(), LARGE.double(), LARGE.half(), LARGE + 1e-3):
        assert computed(result).status is PASSED
    assert computed((LARGE, {"a": LARGE}), [LARGE, {"a": LARGE}]).status is PASSED
    assert computed((LARGE, 1), (LARGE, 2)).status is FAILED
    assert computed(LARGE * 1e-6, LARGE * 1e-6).status is PASSED
    assert computed(LARGE * 0, LARGE * 1e-6).status is FAILED


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
    assert computed(NO_NUMBERS[name], expected).status is FAILED
    assert computed([NO_NUMBERS[name]], [expected]).status is FAILED


def test_a_table_in_other_dtypes_is_quick() -> None:
    other = SALES.astype({"city": "category", "day": "datetime64[s]", "sold": "boolean"})
    for result in (SALES, other, SALES.set_axis(DAYS), SALES.astype({"city": object})):
        assert computed(result, SALES).status is PASSED
        assert computed({"a": [result]}, {"a": [SALES]}).status is PASSED
    named, category = SALES.set_axis(SALES["city"]), SALES.set_axis(pd.Index(other["city"]))
    assert computed(category, named).status is PASSED
    assert computed(SALES["city"], SALES["city"]).status is PASSED


def test_of_a_large_result_only_some_numbers_leave_the_box() -> None:
    (_, shape), (_, numbers) = outline(torch.ones(1000, 1000)).items
    assert shape == Items("list", (1000, 1000)) and numbers.shape == (320,)
    (_, shape), (_, numbers) = outline(torch.ones(2, 0)).items
    assert shape == Items("list", (2, 0)) and numbers.shape == (0,)


# ---------------------------------------------------------------- relation


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
