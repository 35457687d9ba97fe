"""What `autograder doctor` says of devices, and that its self-tests notice what is wrong."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
import torch
from rich.console import Console

from autograder.errors import SandboxError
from autograder.evidence.records import Measured, ProbeRun, Run, Stop, TimeSpent
from autograder.reports.terminal.health import health_view
from autograder.sandbox import doctor, selftest
from autograder.sandbox.accelerators import Accelerator, FoundAccelerators
from autograder.sandbox.box import Box
from autograder.sandbox.selftest import device_fails, simulated_fails
from autograder.wire.messages import Error, Fault, Job, Limits, Outcome
from autograder.wire.pinned import PINNED
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array

GPU = Accelerator("cuda", "NVIDIA A", 8000, "NVIDIA driver 570", ("/dev/nvidiactl", "/dev/nvidia0"))
NOTHING: Any = None


def outcomes(plus: Outcome | None, mixed: Outcome | None) -> Callable[[Job, Box], Run]:
    """Stands for the driver: both probes of the self-test are answered so."""

    def act(job: Job, box: Box) -> Run:
        stop = Stop("died", "the process crashed")
        records = [
            ProbeRun(name, claim, None if claim else stop, TimeSpent(0.0, 0.0))
            for name, claim in (("plus", plus), ("mixed", mixed))
        ]
        return Run((), tuple(records), Measured(0.0, 0.0, 0.0, 1, "strong", ()))

    return act


def array(device: str, *numbers: float) -> Outcome:
    value = to_wire(torch.tensor(numbers))
    assert isinstance(value, Array)
    return Outcome("returned", Array(value.dtype, value.shape, value.data, device=device))


RIGHT = array("cuda", 2.0, 3.0, 4.0)
REFUSED = Outcome("raised", error=Error(("RuntimeError",), "x"), fault=Fault("mixed", "add"))


@pytest.mark.parametrize(
    ("plus", "mixed", "says"),
    [
        (RIGHT, REFUSED, ""),
        (array("cuda:0", 2.0, 3.0, 4.0), REFUSED, ""),
        (RIGHT, array("cuda", 1.0), "a tensor left on the CPU was not detected: returned"),
        (RIGHT, Outcome("raised", error=Error((), "else")), "was not detected: else"),
        (RIGHT, Outcome("raised", fault=Fault("numpy", "x")), "was not detected: raised"),
        (RIGHT, None, "was not detected: the process crashed"),
        (array("cpu", 2.0, 3.0, 4.0), REFUSED, "computed on cpu, not on cuda"),
        (array("cuda", 2.0, 3.0, 5.0), REFUSED, "x + 1 did not return the right result: returned"),
        (Outcome("raised", error=Error((), "error 304")), REFUSED, "right result: error 304"),
        (None, REFUSED, "right result: the process crashed"),
    ],
)
def test_the_self_test_of_the_simulation_notices(
    monkeypatch: pytest.MonkeyPatch, plus: Outcome | None, mixed: Outcome | None, says: str
) -> None:
    monkeypatch.setattr(selftest, "run", outcomes(plus, mixed))
    said = simulated_fails(NOTHING)
    assert said.endswith(says) and bool(said) is bool(says)


def test_the_self_test_of_a_real_device_does_not_ask_for_a_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selftest, "run", outcomes(RIGHT, None))
    assert device_fails(NOTHING, "cuda") == ""
    assert device_fails(NOTHING, "mps") == "x + 1 was computed on cuda, not on mps"


def test_a_lost_box_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(job: Job, box: Box) -> Run:
        raise SandboxError("the zygote is gone")

    monkeypatch.setattr(selftest, "run", lose)
    assert simulated_fails(NOTHING) == device_fails(NOTHING, "cuda") == "the zygote is gone"


def test_the_simulated_accelerator_works_in_the_box(plain_box: Box) -> None:
    assert simulated_fails(plain_box) == ""


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_a_device_that_is_not_there_does_not_work(plain_box: Box) -> None:
    assert "cuda" in device_fails(plain_box, "cuda").lower()


# ---------------------------------------------------------------- the table


def test_the_first_device_is_tried_in_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Accelerator] = []

    def opened(*, device: Accelerator) -> AbstractContextManager[None]:
        tried.append(device)
        return nullcontext()

    monkeypatch.setattr(doctor, "Box", opened)
    monkeypatch.setattr(doctor, "device_fails", lambda box, device: "error 304")
    second = Accelerator("cuda", "NVIDIA B", 9000)
    said = doctor.examine_devices(FoundAccelerators((GPU, second)))
    assert tried == [GPU]
    first, other = said["real"]
    assert (first["used"], first["fails"]) == (True, "error 304")
    assert (other["used"], other["fails"], other["name"]) == (False, "", "NVIDIA B")
    assert first["nodes"] == ["/dev/nvidiactl", "/dev/nvidia0"] and first["memory_mb"] == 8000
    assert said["reason"] == ""


def test_a_box_that_does_not_start_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*, device: Accelerator) -> Box:
        raise SandboxError("nothing limits the memory")

    monkeypatch.setattr(doctor, "Box", refuse)
    (first,) = doctor.examine_devices(FoundAccelerators((GPU,)))["real"]
    assert first["fails"] == "nothing limits the memory"


def health(*real: dict[str, Any], reason: str = "", fails: str = "") -> dict[str, Any]:
    return {
        "level": "strong",
        "layers": [],
        "problems": [],
        "system": "Linux",
        "user": 0,
        "cores": 2,
        "limits": {name: getattr(Limits(), name) for name in Limits.__struct_fields__},
        "python": "3",
        "torch": "2",
        "devices": {
            "cpu": {"threads": 2, "capability": "AVX2"},
            "real": list(real),
            "reason": reason,
        },
        "simulated": {"device": "cuda", "fails": fails},
        "pinned": dict(PINNED),
    }


def shown(found: dict[str, Any], width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(health_view(found))
    return out.getvalue().splitlines()


SEEN = {
    "device": "cuda",
    "name": "NVIDIA A",
    "memory_mb": 8000,
    "driver": "NVIDIA driver 570",
    "nodes": ["/dev/nvidia0"],
    "used": True,
    "fails": "",
}


@pytest.mark.parametrize("width", [60, 120])
def test_the_table_of_devices_fits_and_names_each(width: int) -> None:
    lines = shown(health(SEEN, {**SEEN, "name": "NVIDIA B", "used": False}), width)
    text = " ".join(" ".join(lines).replace("│", " ").split())
    assert all(len(line) <= width for line in lines)
    for words in ("NVIDIA A, 8000 MB", "/dev/nvidia0", "not used", "simulated cuda", "works"):
        assert words in text
    rows = [line for line in lines if line.startswith("│ cuda")]
    assert "works" in rows[0] and "not used" in rows[1]
    for name, value in PINNED:
        assert name.split()[0] in text and value.split()[0] in text


def test_what_fails_and_what_is_absent_say_why() -> None:
    one = {**SEEN, "fails": "error 304"}
    (row,) = [line for line in shown(health(one), 120) if line.startswith("│ cuda")]
    assert "fails" in row and "error 304 (NVIDIA A, 8000 MB" in row
    lines = shown(health(reason="torch is built [without] CUDA", fails="a mixture passed"), 120)
    (row,) = [line for line in lines if line.startswith("│ real")]
    assert "none" in row and "torch is built [without] CUDA" in row
    (row,) = [line for line in lines if line.startswith("│ simulated")]
    assert "fails" in row and "a mixture passed" in row
