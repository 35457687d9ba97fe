"""The kind `device` on runs made by hand: devices that are there, are not, or fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from autograder.assignment.arguments import device, made
from autograder.evidence.records import Run, Stop
from autograder.judging.checks.explain import asked
from autograder.judging.checks.finding import Cases, Finding, Reference
from autograder.judging.checks.registry import examine, probes
from autograder.judging.verdict import Status
from autograder.reports.feedback.words import where_tried
from autograder.wire.lacking import LACKING
from autograder.wire.messages import Call, CallEnvironment, Error, Fault, Outcome, Probe
from autograder.wire.simulation import CUDA_ANSWERED
from autograder.wire.tensors import to_tensor, to_wire
from autograder.wire.values import Array, Value
from tests.support.made_trials import BOOM, EXERCISE, MEASURED, NO_MEMORY, check, record
from tests.support.selection import rarely
from tests.support.tables import rows_beside

NUMBERS = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
CASES: Cases = {"xs": ((to_wire(NUMBERS),), (to_wire(NUMBERS + 1),))}
OBJECTS: Cases = {"xs": ((made("Layer", 3), to_wire(NUMBERS)),)}
Answer = Callable[[Probe, CallEnvironment], Any]


def on(device: str, numbers: torch.Tensor = NUMBERS) -> Array:
    """A tensor that a run says is on a device."""
    found = to_wire(numbers)
    assert isinstance(found, Array)
    return Array(found.dtype, found.shape, found.data, device=device)


def right(probe: Probe, place: CallEnvironment) -> Array:
    assert isinstance(probe.request, Call)
    given = probe.request.args[-1]
    assert isinstance(given, Array)
    return on(place.device, to_tensor(given) * 2)


def run_of(spec: Any, answer: Answer, cases: Cases, *, real: tuple[str, ...] = ()) -> Run:
    """What a run with these real devices would say. None: no record."""
    records = []
    for probe in probes(spec, EXERCISE, cases):
        assert isinstance(probe.request, Call)
        place = probe.request.place or CallEnvironment()
        if place.device != "cpu" and not place.simulated and place.device not in real:
            continue
        claim = answer(probe, place)
        if claim is not None:
            records.append(record(probe.id, claim))
    return Run((), tuple(records), MEASURED)


def look(
    answer: Answer,
    *,
    reference: Answer = right,
    real: tuple[str, ...] = (),
    cases: Cases = CASES,
    **keys: Any,
) -> Finding:
    spec = check("device", call="f", inputs="xs", **keys)
    mine, theirs = (run_of(spec, one, cases, real=real) for one in (answer, reference))
    return examine(spec, EXERCISE, mine, Reference(theirs, cases))


def only(claim: Any, device: str, *, simulated: bool) -> Answer:
    """Right everywhere but there."""
    return lambda probe, place: (
        claim if (place.device, place.simulated) == (device, simulated) else right(probe, place)
    )


def test_without_a_gpu_the_finding_says_so() -> None:
    found = look(right)
    assert found.status is Status.PASSED
    assert where_tried(found.devices).endswith("Not tested on a GPU: the grading machine has none.")


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_real_device_is_tried_where_it_is_there(device: str) -> None:
    found = look(right, real=(device,))
    assert found.status is Status.PASSED
    assert "Not tested" not in where_tried(found.devices)
    wrong = look(only(on(device, NUMBERS), device, simulated=False), real=(device,))
    assert wrong.status is Status.FAILED
    assert wrong.message.startswith(f"On the {device.upper()} device: ")
    left = look(only(on("cpu", NUMBERS * 2), device, simulated=False), real=(device,))
    assert left.status is Status.FAILED


def test_a_real_device_that_an_assignment_does_not_ask_for_is_not_tried() -> None:
    found = look(right, real=("cuda", "mps"), devices=["mps"])
    assert [ran.device for ran in found.devices if ran.how == "real"] == ["cpu", "mps"]


@pytest.mark.parametrize(
    ("claim", "device", "simulated", "status"),
    [
        (None, "cuda", False, Status.UNGRADED),  # a device that is lost is no mistake
        (Stop("wall", "too long"), "cuda", False, Status.STOPPED),
        (None, "cuda", True, Status.UNGRADED),
        (Outcome("unsupported"), "cuda", True, Status.RAISED),  # a claim of nothing
        (NO_MEMORY, "cuda", True, Status.UNGRADED),  # for a second copy, there
        (NO_MEMORY, "cpu", False, Status.STOPPED),
    ],
)
def test_what_does_not_answer_earns_nothing(
    claim: Any, device: str, simulated: bool, status: Status
) -> None:
    assert look(only(claim, device, simulated=simulated), real=("cuda",)).status is status


@pytest.mark.parametrize(
    "claim", [Outcome("unsupported", error=Error(("E",), "TorchScript")), Stop("cpu", "too long")]
)
def test_what_the_simulation_cannot_tell_is_for_a_person(claim: Any) -> None:
    found = look(only(claim, "cuda", simulated=True))
    assert found.status is Status.UNGRADED
    (simulated,) = (ran for ran in found.devices if ran.how == "simulated")
    assert simulated.result == "not simulated"
    assert simulated.note in ("TorchScript", "too long")


def test_a_wrong_call_is_not_hidden_by_one_that_is_not_simulated() -> None:
    def answer(probe: Probe, place: CallEnvironment) -> Any:
        if not place.simulated or place.device == "cpu":
            return right(probe, place)
        first = "/0/" in probe.id
        return BOOM if first else Outcome("unsupported", error=Error(("E",), "TorchScript"))

    assert look(answer).status is Status.RAISED


def test_an_object_that_refuses_a_copy_is_for_a_person() -> None:
    """It says nothing of the other ways; and where nothing is copied, it is an error."""
    claim = Outcome("unsupported", error=Error(("NotCopied",), "copy.deepcopy: a lock"))

    def answer(probe: Probe, place: CallEnvironment) -> Any:
        return claim if place.way == "copied" else right(probe, place)

    found = look(answer, cases=OBJECTS)
    assert found.status is Status.UNGRADED
    assert look(only(claim, "cuda", simulated=True)).status is Status.RAISED
    assert look(right, reference=answer, cases=OBJECTS).status is Status.PASSED
    (simulated,) = (ran for ran in found.devices if ran.how == "simulated")
    assert simulated.result == "right"


def test_what_the_simulation_cannot_tell_of_the_reference_is_asked_of_nobody() -> None:
    lacking = only(
        Outcome("unsupported", error=Error(("E",), "TorchScript")), "cuda", simulated=True
    )
    assert look(right, reference=lacking).status is Status.PASSED
    assert look(only(BOOM, "cuda", simulated=True), reference=lacking).status is Status.PASSED


REFUSAL = "\"{}\" not implemented for '{}'"  # in torch's words: no kernel for a dtype
TRUE = {*LACKING, *(REFUSAL.format("cholesky_cpu", name) for name in ("Half", "BFloat16"))}
FALSE = [
    *(f"torch.cuda.{name}" for name in sorted(CUDA_ANSWERED)),
    *(REFUSAL.format(kernel, "Half") for kernel in ("add_stub", "no_such", "")),
    REFUSAL.format("cholesky_cpu", "Mine"),
    *"sin torch.nothing torch.cuda.nothing torchscript copy.deepcopy".split(),
    *("TorchScript ", "copy.deepcopy: x", ""),
]


@pytest.mark.parametrize("text", rarely([*sorted(TRUE), *FALSE], keep=24))
def test_a_claim_is_believed_where_the_simulation_really_lacks_it(text: str) -> None:
    """And earns nothing even there; an ordinary call or a real device lacks nothing."""
    claim = Outcome("unsupported", error=Error(("NotSimulated", "BaseException"), text))
    found = look(only(claim, "cuda", simulated=True))
    assert found.status is (Status.UNGRADED if text in TRUE else Status.RAISED)
    if text not in TRUE:
        assert "This is not a known limitation of the simulated accelerator." in found.message
    beside = look(only(claim, "cpu", simulated=True))
    assert beside.status is found.status
    assert look(only(claim, "cpu", simulated=False)).status is Status.RAISED
    assert look(only(claim, "cuda", simulated=False), real=("cuda",)).status is Status.RAISED


def test_a_reference_that_fails_on_the_accelerator_grades_nobody() -> None:
    assert look(right, reference=only(BOOM, "cuda", simulated=True)).status is Status.UNGRADED


def test_what_is_wrong_on_the_cpu_is_told_of_the_cpu_alone() -> None:
    found = look(lambda probe, place: on(place.device, NUMBERS))
    assert found.status is Status.FAILED
    assert "CUDA" not in found.message
    assert [ran.result for ran in found.devices][:3] == ["wrong", "not reached", "not reached"]
    assert "Not tested on a GPU: it had already failed." in where_tried(found.devices)


def test_an_exception_that_is_no_fault_of_devices_is_told_as_it_is() -> None:
    found = look(only(BOOM, "cuda", simulated=True))
    assert found.status is Status.RAISED
    assert "ValueError: boom" in found.message
    assert found.cause is None


@pytest.mark.parametrize(
    ("lands", "places"), [("any", ("cpu", "cuda")), ("cpu", ("cpu",)), ("device", ("cuda",))]
)
def test_where_a_result_lands(lands: str, places: tuple[str, ...]) -> None:
    for where in ("cpu", "cuda"):

        def answer(probe: Probe, place: CallEnvironment, where: str = where) -> Any:
            numbers = to_tensor(right(probe, place))
            return on("cpu" if place.device == "cpu" else where, numbers)

        assert (look(answer, lands=lands).status is Status.PASSED) is (where in places)


def test_a_result_in_plain_numbers_is_nowhere() -> None:
    def answer(probe: Probe, place: CallEnvironment) -> Any:
        return to_wire(to_tensor(right(probe, place)).tolist())

    assert look(answer).status is Status.PASSED


def test_every_tensor_of_a_result_must_be_there() -> None:
    def both(probe: Probe, place: CallEnvironment) -> Any:
        return to_wire([NUMBERS, {"a": NUMBERS}])

    found = look(both, reference=both)
    assert found.status is Status.FAILED
    assert "it should be on `cuda`" in found.message


def test_objects_go_to_the_device_in_every_way_that_is_asked_for() -> None:
    def ways(**keys: Any) -> list[str]:
        spec = check("device", call="f", inputs="xs", devices=[], **keys)
        places = (p.request.place for p in probes(spec, EXERCISE, OBJECTS))  # type: ignore[union-attr]
        return [place.way for place in places if place and place.device == "cuda"]

    assert ways() == ["moved", "used", "copied", "loaded"]
    assert ways(ways=["copied"]) == ["moved", "copied"]


@pytest.mark.parametrize(("keys", "name", "words"), rows_beside(__file__)["faults"])
def test_a_fault_is_told_in_words(keys: dict[str, Any], name: str, words: str) -> None:
    fault = Fault(**keys)
    claim = Outcome("raised", error=BOOM, fault=fault)
    found = look(only(claim, "cuda", simulated=True))
    assert words in found.message
    assert found.cause is not None and found.cause.mistakes[0].name == name
    assert found.advice
    assert all(part not in found.advice for part in (fault.source, fault.name) if part)


def test_a_device_that_the_machine_lacks_is_named_on_the_cpu() -> None:
    lacks = Error(("AssertionError", "Exception"), "Torch not compiled with CUDA enabled")
    found = look(lambda probe, place: lacks)
    assert found.cause is not None and found.cause.mistakes[0].name == "device_fixed"


def test_an_argument_that_is_the_device_reads_as_that() -> None:
    given = (to_wire(NUMBERS), device())
    probe = Probe("a", EXERCISE, Call(EXERCISE, "move", given))
    assert asked(probe) == "`move(float32 [2, 2], device)`"


def test_a_right_part_is_not_blamed_with_a_wrong_one() -> None:
    names = ("early", "late")
    parts = [{"name": name, "stand_in": "alike"} for name in names]
    spec = check("device", call="f", inputs="xs", parts=parts)

    def wrong_without(*needed: str) -> Answer:
        def answer(probe: Probe, place: CallEnvironment) -> Value:
            assert isinstance(probe.request, Call)
            given = {stand_in.name for stand_in in probe.request.stand_ins}
            numbers = right(probe, place)
            return numbers if given >= set(needed) else on(place.device, to_tensor(numbers) + 1)

        return answer

    expected = Reference(run_of(spec, right, CASES), CASES)
    for needed, said in ((("late",), "your `late`."), (names, "your `early` and your `late`.")):
        found = examine(spec, EXERCISE, run_of(spec, wrong_without(*needed), CASES), expected)
        assert found.status is Status.PASSED and found.message.endswith(f"because of {said}")
