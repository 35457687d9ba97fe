"""Precision: other dtypes, autocast, threads, tolerances that grow, pinned settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from autograder.assignment.kinds import Tolerance
from autograder.assignment.measured import fill
from autograder.authoring.validation.windows import _Scale
from autograder.evidence import store
from autograder.evidence.records import Run, Stop
from autograder.judging.checks import kernels
from autograder.judging.checks.arrays import Bounds
from autograder.judging.checks.carried_result import own_table
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.finding import Finding, Reference, Trial
from autograder.judging.checks.precision import ALREADY, USUAL, tolerance_for
from autograder.judging.checks.registry import examine, probes
from autograder.judging.diagnosis.likeness import bounds_of
from autograder.judging.verdict import Status
from autograder.runner.calls import call
from autograder.runner.pinned import pin
from autograder.wire.messages import Call, Error, Outcome, Probe
from autograder.wire.pinned import PINNED
from autograder.wire.tensors import to_wire
from autograder.wire.values import Value
from tests.support import made_trials
from tests.support.made_trials import BOOM, EXERCISE, MEASURED, PE, figure, panel, record
from tests.support.tables import evaluated, table_beside

PASSED, FAILED, RAISED = Status.PASSED, Status.FAILED, Status.RAISED
UNGRADED = Status.UNGRADED
Function = Callable[..., Any]
WHY = "stated by this test"
BOTH = ["bfloat16", "float16"]
NO_HALF = Error(
    ("NotImplementedError", "RuntimeError", "Exception"), "\"some_op\" not implemented for 'Half'"
)

NO_LU = Error(NO_HALF.types, "\"lu_cpu\" not implemented for 'Half'")


def check(kind: str = "precision", **keys: Any) -> Any:
    return made_trials.check(kind, **{"call": "f", "inputs": "xs", **keys})


def xs(*shapes: tuple[int, ...], size: float = 1.0) -> list[tuple[torch.Tensor]]:
    rng = np.random.default_rng(3)
    shapes = shapes or ((2, 300, 8), (1, 5, 4))
    return [(torch.tensor(size * rng.normal(size=s), dtype=torch.float32),) for s in shapes]


def sent(cases: list[Any]) -> dict[str, tuple[tuple[Value, ...], ...]]:
    return {"xs": tuple(tuple(map(to_wire, case)) for case in cases)}


def run_of(
    spec: Any,
    function: Callable[..., Any] | None,
    cases: Mapping[str, Any],
    instead: Callable[[Probe], Any] = lambda probe: ...,
) -> Run:
    """What the runner answers for a function; ``instead`` puts another claim, or a stop, there."""
    records = []
    names = {} if function is None else {"f": function}
    for probe in probes(spec, EXERCISE, cases):
        assert isinstance(probe.request, Call)
        other = instead(probe)
        claim = call(dict(names), probe.request) if other is ... else other
        if claim is not None:
            records.append(record(probe.id, claim))
    return Run((), tuple(records), MEASURED)


def place(probe: Probe) -> Any:
    return getattr(probe.request, "place", None)


def look(
    spec: Any,
    actual: Callable[..., Any] | None,
    expected: Callable[..., Any],
    cases: list[Any] | None = None,
    *,
    mine: Callable[[Probe], Any] = lambda probe: ...,
    theirs: Callable[[Probe], Any] = lambda probe: ...,
) -> Finding:
    given = sent(xs() if cases is None else cases)
    one, other = run_of(spec, actual, given, mine), run_of(spec, expected, given, theirs)
    return examine(spec, EXERCISE, one, Reference(other, given))


# ---------------------------------------------------------------- functions, right and wrong


def frequencies(width: int) -> torch.Tensor:
    return torch.exp(torch.arange(0, width, 2).float() * (-math.log(10_000.0) / width))


def turns(angles: torch.Tensor) -> torch.Tensor:
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def table(rows: int, width: int) -> torch.Tensor:
    return turns(torch.arange(rows).float()[:, None] * frequencies(width))


def right(x: torch.Tensor) -> torch.Tensor:
    return x + table(*x.shape[-2:]).to(x.dtype)


def in_float64(x: torch.Tensor) -> torch.Tensor:
    rows, width = x.shape[-2:]
    slow = torch.pow(10_000.0, -torch.arange(0, width, 2).double() / width)
    return (x.double() + turns(torch.arange(rows).double()[:, None] * slow)).to(x.dtype)


def by_numpy(x: torch.Tensor) -> torch.Tensor:
    rows, width = x.shape[-2:]
    angles = np.arange(rows)[:, None] * 10_000.0 ** (-np.arange(0, width, 2) / width)
    made = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(rows, width)
    return x + torch.from_numpy(made).to(x)


def float32_table(x: torch.Tensor) -> torch.Tensor:
    return x + table(*x.shape[-2:])


def narrow_positions(x: torch.Tensor) -> torch.Tensor:
    rows, width = x.shape[-2:]
    position = torch.arange(rows, dtype=x.dtype)[:, None]
    return x + turns(position.float() * frequencies(width)).to(x.dtype)


def product_of_positions(x: torch.Tensor) -> torch.Tensor:
    rows, width = x.shape[-2:]
    angles = torch.arange(rows).float()[:, None] @ frequencies(width)[None]
    return x + turns(angles.float()).to(x.dtype)


def turned(x: torch.Tensor) -> torch.Tensor:
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * 1j).flatten(-2)


def threads() -> int:
    """How many more than one."""
    return torch.get_num_threads() - 1


# ---------------------------------------------------------------- verdicts

TABLES = table_beside(__file__)
ANSWERS = TABLES["answers"]


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_judged_and_what_is_wrong_is_explained(name: str) -> None:
    row = {"reference": "right(x)", "cases": "xs()", "status": "passed", **ANSWERS[name]}
    answer, reference = (
        evaluated(f"lambda x: ({row[side]})", globals()) for side in ("answer", "reference")
    )
    found = look(check(**row["asked"]), answer, reference, evaluated(row["cases"], globals()))
    assert found.status.value == row["status"]
    assert found.message.startswith(row.get("begins", "")), found.message
    assert all(words in found.message for words in row.get("says", ())), found.message
    assert row.get("unsaid", "\0") not in found.message
    assert found.devices == ()  # no device was in question
    assert not found.message or found.status is not PASSED
    assert torch.get_num_threads() == 1


def test_arguments_that_are_fixed_are_not_converted() -> None:
    def add(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return x + turns(positions[:, None] * frequencies(8)).to(x.dtype)

    cases = [(xs((300, 8))[0][0], torch.arange(300).float())]
    assert look(check(dtypes=["bfloat16"], fixed=[1]), add, add, cases).status is PASSED
    lost = look(check(dtypes=["bfloat16"]), add, lambda x, p: add(x, torch.arange(300.0)), cases)
    assert lost.status is FAILED


def test_parts_of_a_result_are_looked_at_one_by_one() -> None:
    def parts(x: torch.Tensor) -> dict[str, Any]:
        return {1.5: (x, [x + 1]), "count": 3, "ids": torch.arange(3)}

    def one_wide(x: torch.Tensor) -> dict[str, Any]:
        ids = torch.arange(3, dtype=torch.int32)
        return {"ids": ids, "count": 3, 1.5: (x, [(x + 1).float()])}

    found = look(check(dtypes=["bfloat16"]), one_wide, parts)
    assert [(m.kind, m.path) for m in found.mismatches] == [("dtype", ("1.5", 1, 0))] * 2
    assert found.mismatches[0].where == "result of call 1, in bfloat16"
    assert look(check(dtypes=["bfloat16"]), parts, parts).status is PASSED


PART = "def part(rows, columns):\n    {}\n"
STEP = "def f(x):\n    return x + part(x.shape[-2], x.shape[-1]){}\n"
MADE, WRONG_PART = PART.format("return torch.ones(rows, columns)"), PART.format("return None")
TURNED = PART.format("return torch.ones(columns, rows)")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("part", [WRONG_PART, TURNED])
def test_a_wrong_earlier_part_is_not_charged_again(part: str, threads: int) -> None:
    """The step is right with a stand-in for the part; a step that is wrong itself still loses."""

    def written(code: str) -> Callable[[Probe], Any]:
        def answer(probe: Probe) -> Any:
            names = {"torch": torch}
            exec(code, names)
            assert isinstance(probe.request, Call)
            return call(names, probe.request)

        return answer

    def judged(part: str, step: str, **keys: Any) -> Finding:
        spec = check(dtypes=BOTH, threads=threads, **keys)
        theirs = written(MADE + STEP.format(".to(x.dtype)"))
        return look(spec, right, right, mine=written(part + STEP.format(step)), theirs=theirs)

    parts = {"parts": [{"name": "part", "stand_in": "table"}]}
    found = judged(part, ".to(x.dtype)", **parts)
    assert found.status is PASSED
    assert found.message.endswith("because of your `part`.")
    assert judged(MADE, ".to(x.dtype)", **parts).message == ""
    assert judged(part, ".to(x.dtype)").message.startswith(ALREADY)
    for wrong in ("", ".to(x.dtype) + 1"):
        assert judged(part, wrong, **parts).status in (FAILED, RAISED)


# ---------------------------------------------------------------- what can be missing


def at(dtype: str = "", **keys: Any) -> Callable[[Probe], bool]:
    def there(probe: Probe) -> bool:
        found = place(probe)
        given = {"dtype": dtype, "rounded": "", "autocast": "", "threads": 1, **keys}
        return found is not None and all(getattr(found, k) == v for k, v in given.items())

    return there


def only(where: Callable[[Probe], bool], claim: Any) -> Callable[[Probe], Any]:
    return lambda probe: claim if where(probe) else ...


def is_plain(probe: Probe) -> bool:
    return place(probe) is None


PLACES = {
    "plain": is_plain,
    "dtype": at("bfloat16"),
    "yardstick": at("float64", rounded="bfloat16"),
    "autocast": at(autocast="bfloat16"),
    "threads": at(threads=2),
}
SPEC = {"dtypes": ["bfloat16"], "autocast": ["bfloat16"]}


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("claim", [None, BOOM, Outcome("missing"), Stop("cpu", "Too slow.")])
def test_a_reference_that_does_not_answer_is_never_the_students_loss(
    where: str, claim: Any
) -> None:
    found = look(check(**SPEC), right, right, theirs=only(PLACES[where], claim))
    assert found.status is UNGRADED
    wrong = look(check(**SPEC), float32_table, right, theirs=only(PLACES["threads"], claim))
    assert wrong.status is FAILED  # what is known to be wrong stays wrong


@pytest.mark.parametrize(
    "claim, status",
    [
        (None, UNGRADED),
        (BOOM, RAISED),
        (Outcome("missing"), Status.MISSING),
        (Stop("cpu", "Too slow."), Status.STOPPED),
        (Outcome("unsupported"), RAISED),
        (Outcome("unsupported", error=NO_HALF), RAISED),
        (Outcome("unsupported", error=Error((), "TorchScript")), RAISED),
    ],
)
@pytest.mark.parametrize("where", [name for name in PLACES if name != "yardstick"])
def test_a_student_who_does_not_answer_earns_nothing(
    where: str, claim: Any, status: Status
) -> None:
    found = look(check(**SPEC), right, right, mine=only(PLACES[where], claim))
    assert found.status is status


def test_what_a_student_would_answer_at_the_yardstick_is_not_looked_at() -> None:
    spec = check(**SPEC)
    found = look(spec, right, right, mine=only(PLACES["yardstick"], BOOM))
    assert found.status is PASSED


def test_a_name_that_is_missing_is_missing() -> None:
    found = look(check(**SPEC), None, right)
    assert (found.status, found.message) == (Status.MISSING, "`f` is not defined.")


def test_no_case_is_our_fault() -> None:
    assert look(check(**SPEC), right, right, []).status is UNGRADED


def test_a_dtype_that_the_cpu_lacks_for_the_reference_is_left_out_and_said() -> None:
    spec = check(dtypes=BOTH)
    lacking = only(at("float16"), NO_HALF)
    found = look(spec, right, right, theirs=lacking, mine=lacking)
    assert found.status is PASSED
    assert found.message == (
        "In float16: not tried, because torch does not support it on the CPU "
        "(\"some_op\" not implemented for 'Half')."
    )
    wrong = look(spec, float32_table, right, theirs=lacking)
    assert wrong.status is FAILED
    assert wrong.message.endswith("(\"some_op\" not implemented for 'Half').")
    assert "Also wrong" not in wrong.message


@pytest.mark.slow
def test_a_dtype_that_the_cpu_lacks_for_what_the_student_uses_is_for_a_person() -> None:
    def by_a_determinant(x: torch.Tensor) -> torch.Tensor:
        return right(x) * torch.linalg.det(torch.eye(2, dtype=x.dtype))

    found = look(check(dtypes=BOTH), by_a_determinant, right)
    assert found.status is UNGRADED and "It has to be graded by hand." in found.message
    assert '"lu_cpu" not implemented for \'' in found.message
    wrong = look(check(dtypes=BOTH), float32_table, right, mine=only(at("float16"), NO_LU))
    assert wrong.status is FAILED


@pytest.mark.slow
def test_a_call_that_the_cpu_lacks_hides_no_other_one() -> None:
    first = only(lambda probe: at("bfloat16")(probe) and probe.id.count("/0/") > 0, NO_LU)
    found = look(check(dtypes=["bfloat16"]), float32_table, right, mine=first)
    assert found.status is FAILED


@pytest.mark.parametrize("dtype", ["Half", "BFloat16", "Long", "mine"])
@pytest.mark.parametrize("kernel", ["add_stub", "mul_cpu", "some_op", "lu_cpu", "a.b", ""])
def test_a_forged_refusal_of_torch_is_an_error(kernel: str, dtype: str) -> None:
    """Torch itself is asked; what it refuses does so with an error of its own class alone."""
    text = f"\"{kernel}\" not implemented for '{dtype}'"
    for types in (NO_HALF.types, ("RuntimeError", "Exception"), ("NotSimulated", "BaseException")):
        found = look(check(dtypes=BOTH), right, right, mine=only(at("float16"), Error(types, text)))
        lacking = (kernel, types) == ("lu_cpu", NO_HALF.types) and dtype in ("Half", "BFloat16")
        assert found.status is (UNGRADED if lacking else RAISED)
        assert kernel in found.message
        assert "torch does not support this operation" not in found.message


def test_where_torch_cannot_be_asked_a_person_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.sys, "executable", "/nonexistent/python")
    monkeypatch.setattr(kernels, "_refusals", kernels._refusals.__wrapped__)  # asked anew
    found = look(check(dtypes=BOTH), right, right, mine=only(at("float16"), NO_HALF))
    assert found.status is UNGRADED


def test_where_every_dtype_is_lacking_nothing_was_tried() -> None:
    found = look(check(dtypes=["float16"]), right, right, theirs=only(at("float16"), NO_HALF))
    assert found.status is UNGRADED
    assert "not tried" in found.message


def test_another_exception_of_the_reference_is_no_lack_of_the_cpu() -> None:
    mine = only(at("float16"), Error(NO_HALF.types, "mine"))
    assert look(check(dtypes=BOTH), right, right, theirs=mine).status is UNGRADED


# ---------------------------------------------------------------- tolerances


def test_every_dtype_has_a_tolerance_but_integers() -> None:
    own = {"bfloat16": {"rtol": 0, "atol": 1e-9, "why": WHY}}
    spec = check(dtypes=BOTH, tolerances=own)
    assert tolerance_for(spec, "float16") == USUAL["float16"]
    assert tolerance_for(spec, "complex64") == USUAL["float32"]
    assert tolerance_for(spec, "int64") is None


@pytest.mark.parametrize("words", TABLES["refused"])
def test_a_check_that_asks_for_nothing_or_for_the_wrong_thing_is_refused(words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        check(**TABLES["refused"][words])


def growing(atol_per_row: float = 1e-3, atol: float = 0.0) -> Tolerance:
    return Tolerance(rtol=0.0, atol=atol, atol_per_row=atol_per_row, why=WHY)


@pytest.mark.parametrize(
    "shape, passes",
    [((2, 200, 3), True), ((2, 50, 3), False), ((200,), True), ((50,), False), ((), False)],
)
def test_a_tolerance_grows_with_the_next_to_last_axis(shape: tuple[int, ...], passes: bool) -> None:
    expected = torch.zeros(shape)
    for actual in (expected + 0.1, (expected + 0.1).tolist()):
        found = compare(to_wire(actual), to_wire(expected), where="it", rules=Rules(growing()))
        assert (found == ()) is passes


def test_growth_follows_the_reference_not_what_a_student_adds() -> None:
    actual, expected = to_wire(torch.full((1, 1, 3), 0.5)), to_wire(torch.zeros(3))
    rules = Rules(growing(0.1), leading_ones=True)
    assert compare(actual, expected, where="it", rules=rules)
    assert not compare(actual, expected, where="it", rules=Rules(growing(0.2), leading_ones=True))


def test_the_diagnosis_takes_the_bounds_of_the_check() -> None:
    stated = {"rtol": 0.0, "atol": 1e-6, "atol_per_row": 1e-3, "why": WHY}
    spec = check("function", call="f", inputs="xs", tolerance=stated)
    assert bounds_of(spec, "float32", "float32", (100, 4)).atol == pytest.approx(0.100001)
    assert bounds_of(spec, "bfloat16", "bfloat16", (2, 4)) == Bounds(1.6e-2, 2e-3 + 1e-6)
    precise = check(dtypes=BOTH)
    assert bounds_of(precise, "bfloat16", "bfloat16", (9, 4)) == Bounds(5e-2, 5e-2)
    assert bounds_of(precise, "int64", "int64", (9, 4)) == Bounds(0.0, 0.0)


def test_a_carried_table_must_be_apart_by_more_than_what_grows() -> None:
    carried = {"call": "own", "args": [4, 3]}
    rows = np.arange(12.0).reshape(4, 3)
    run = made_trials.run({"own/own/4,3": rows})
    trial = Trial(EXERCISE, run, run, {}, {})
    for growth, counts in ((0.1, True), (1.0, False)):
        stated = {"rtol": 0.0, "atol": 0.0, "atol_per_row": growth, "why": WHY}
        spec = made_trials.check("value", name="pe", carried=carried, tolerance=stated)
        assert (own_table(trial, spec, [to_wire(rows)]) is not None) is counts


def test_an_image_that_lies_on_its_side_has_the_rows_of_the_table() -> None:
    """Three rows of four: what three times the growth lets pass is right, four times is not."""
    grows = {"rtol": 0.0, "atol": 0.0, "atol_per_row": 0.1, "why": WHY}
    for off, passes in ((0.25, True), (0.35, False)):
        for image in (panel(PE + off), panel(PE.T + off, xlabel="Position", ylabel="Dimension")):
            found = figure(image, aspects=["data"], tolerance=grows)
            assert (found.status is PASSED) is passes


@pytest.mark.parametrize("atol, unit", [(0.0, 1e-3), (1e-6, 1e-6)])
def test_a_window_scales_the_growth_with_the_rest(atol: float, unit: float) -> None:
    """Of 100 rows the tolerance lets 0.1 pass; 0.05 needs half of it."""
    base = growing(1e-3, atol)
    spec = check("function", call="f", inputs="xs", tolerance=base.model_dump())
    given = sent([(torch.zeros(100, 3),)])
    scale = _Scale(spec, base, EXERCISE, Reference(run_of(spec, torch.clone, given), given))
    size = scale.size(run_of(spec, lambda x: x + 0.05, given))
    assert size == pytest.approx(unit / 2, rel=0.02)


def test_measured_is_refused_for_a_check_with_a_tolerance_for_each_dtype(tmp_path: Path) -> None:
    measured = {"id": "c", "kind": "precision", "tolerance": "measured"}
    wanted, (problem,) = fill({"exercise": [{"id": "e", "check": [measured]}]}, tmp_path)
    said = "exercise 'e', check 'c': tolerance = \"measured\" is not available in precision checks"
    assert said in problem
    assert not wanted.measured | wanted.missing


# ---------------------------------------------------------------- pinned settings


@pytest.fixture(autouse=True)
def set_back() -> Iterator[None]:
    yield
    pin()


def settings_now() -> list[tuple[Any, Any]]:
    """Each setting as it is, and as it is pinned."""
    cuda = torch.backends.cuda.matmul
    get = torch._C._get_fp32_precision_getter
    return [
        (torch.get_float32_matmul_precision(), "highest"),
        (torch.backends.cudnn.allow_tf32, False),
        ([get("mkldnn", of) for of in ("matmul", "conv", "rnn")], ["ieee"] * 3),
        ([get("cuda", of) for of in ("matmul", "conv", "rnn")], ["ieee"] * 3),
        (cuda.allow_fp16_reduced_precision_reduction, False),
        (cuda.allow_bf16_reduced_precision_reduction, False),
        (torch.backends.cudnn.benchmark, False),
        (torch.are_deterministic_algorithms_enabled(), True),
        (torch.is_deterministic_algorithms_warn_only_enabled(), True),
        (torch._C._get_deterministic_fill_uninitialized_memory(), False),
        (torch.get_num_threads(), 1),
    ]


def new_flags() -> None:
    torch.backends.fp32_precision = "tf32"
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    torch.backends.cudnn.conv.fp32_precision = "tf32"
    torch.backends.mkldnn.matmul.fp32_precision = "bf16"


def old_flags() -> None:
    torch.set_float32_matmul_precision("medium")
    torch.backends.cudnn.allow_tf32 = True


def other_flags() -> None:
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = True
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = True
    torch.backends.cudnn.benchmark = True
    torch._C._set_deterministic_algorithms(False, warn_only=False)
    torch._C._set_deterministic_fill_uninitialized_memory(True)
    torch.set_num_threads(2)


@pytest.mark.parametrize("change", [new_flags, old_flags, other_flags])
def test_every_call_is_made_with_the_pinned_settings(change: Callable[[], None]) -> None:
    """Whatever a notebook sets is set back."""

    def settings() -> list[Any]:
        now = [setting for setting, _ in settings_now()]
        change()
        return now

    pinned = [value for _, value in settings_now()]
    for _ in range(2):
        assert call({"f": settings}, Call(EXERCISE, "f", ())).value == to_wire(pinned)


def test_evidence_is_of_the_pinned_settings() -> None:
    for name, value in PINNED:
        assert f"{name}: {value}" in store.versions()["pinned"]
