"""Jobs for a real accelerator: what is asked there, what an error on it costs, what is kept.

No device is needed: the child that answers is a made-up one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from autograder.assignment.model import Assignment
from autograder.classroom import boxes
from autograder.classroom.boxes import devices_for, stored_devices
from autograder.classroom.reference import only_stored
from autograder.errors import SandboxError, UsageError
from autograder.evidence.records import Run, TimeSpent
from autograder.evidence.stops import says_device_lost, says_no_device_memory, says_no_memory
from autograder.execution.dask.site import Site
from autograder.grading.context import PreparedClass
from autograder.grading.device_runs import (
    NO_DEVICES,
    DeviceRunner,
    Devices,
    on_cpu,
    used,
    wanted_devices,
)
from autograder.grading.job import evidence
from autograder.judging.checks.limit_messages import which_bound
from autograder.sandbox.accelerators import Accelerator, FoundAccelerators
from autograder.sandbox.child import ChildAnswer, Exit
from autograder.sandbox.driver import MAX_CHILDREN, run
from autograder.wire.messages import (
    Answer,
    Begin,
    Call,
    CallEnvironment,
    CellDone,
    Error,
    Job,
    Keep,
    Kept,
    Limits,
    Outcome,
    Probe,
    Read,
    Request,
    RunCell,
)
from tests.support.device_jobs import (
    CPU,
    CUDA,
    MEASURED,
    WHOLE,
    Runs,
    call,
    job,
    setting_of,
)

ASSERT = "CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously"
LOST = Error(("AcceleratorError", "RuntimeError", "Exception"), ASSERT)
ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------- what an exception says


RUNTIME = ("RuntimeError",)
SAYS: dict[str, list[tuple[tuple[str, ...], str]]] = {
    "lost": [
        (("AcceleratorError", "RuntimeError"), ASSERT),
        (RUNTIME, "CUDA error: an illegal memory access was encountered"),
        (RUNTIME, "HIP error: unspecified launch failure"),
        (RUNTIME, "CUDA error: misaligned address"),
        (RUNTIME, "CUDA error: uncorrectable ECC error encountered"),
    ],
    "no memory there": [
        (("OutOfMemoryError", "RuntimeError"), "CUDA out of memory. Tried"),
        (RUNTIME, "MPS backend out of memory (MPS allocated"),
        (RUNTIME, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when"),
        (RUNTIME, "CUDA out of memory: Cannot allocate memory"),
    ],
    "no memory": [(RUNTIME, "DefaultCPUAllocator: can't allocate"), (("MemoryError",), "")],
    "": [
        (RUNTIME, "CUDA error: invalid device ordinal"),
        (RUNTIME, "device-side assert triggered"),
        (("ValueError",), "wrong"),
    ],
}


@pytest.mark.parametrize("what", SAYS)
def test_each_error_is_what_it_is(what: str) -> None:
    for types, text in SAYS[what]:
        error = Error(types, text)
        found = {
            "lost": says_device_lost(error),
            "no memory there": says_no_device_memory(error),
            "no memory": says_no_memory(error),
        }
        assert {name for name, said in found.items() if said} == {what} - {""}, text


def test_the_bound_of_the_device_is_named() -> None:
    error = Error(("OutOfMemoryError", "RuntimeError"), "CUDA out of memory. Tried to allocate")
    said = which_bound(error, Limits(memory_mb=111, device_mb=222))
    assert said == "A notebook may use at most 222 MB of accelerator memory."


# ---------------------------------------------------------------- an error that ends a process


class FakeBox:
    """Its children answer everything rightly but what ``wrong`` answers."""

    def __init__(self, wrong: Callable[[Request], Answer | None] = lambda request: None) -> None:
        self.wrong = wrong
        self.children: list[FakeChild] = []
        self.asked: list[tuple[int, Request]] = []
        self.started, self.held = 0, 0.0
        self.isolation = SimpleNamespace(level="strong", layers=())
        self.capability = "DEFAULT"
        self.files = ""

    def spawn(self, limits: Limits) -> FakeChild:
        return FakeChild(self)

    def requests(self, kind: type) -> list[tuple[int, Any]]:
        return [(child, request) for child, request in self.asked if isinstance(request, kind)]

    def answer(self, request: Request) -> Answer:
        said = self.wrong(request)
        if said is not None:
            return said
        if isinstance(request, Keep):
            return Kept(tuple(Outcome("returned", 1) for _ in request.reads))
        if isinstance(request, RunCell):
            return CellDone(())
        return Kept() if isinstance(request, Begin) else Outcome("returned", 1)


class FakeChild:
    def __init__(self, box: FakeBox) -> None:
        self.box = box
        self.ended = False
        box.children.append(self)

    def ask(self, request: Request, *, cpu_s: float, wall_s: float) -> ChildAnswer:
        assert not self.ended, f"an ended child was asked {request}"
        self.box.asked.append((len(self.box.children), request))
        took = 50.0 if isinstance(request, Begin) else 0.5  # the first use of a device
        return ChildAnswer(self.box.answer(request), None, TimeSpent(0.0, took), alive=True)

    def started(self) -> None:
        self.box.started += 1

    def held_mb(self) -> float:
        return self.box.held

    def end(self) -> Exit:
        self.ended = True
        return Exit(0, 0, 0.0, 0.0, False)


def drive(job: Job, box: FakeBox) -> Run:
    return run(job, box)  # type: ignore[arg-type]


def failing(target: str) -> Callable[[Request], Answer | None]:
    def wrong(request: Request) -> Answer | None:
        asked = isinstance(request, Call) and request.target == target
        return Outcome("raised", error=LOST) if asked else None

    return wrong


def test_a_call_that_loses_the_device_costs_only_itself() -> None:
    box = FakeBox(failing("bad"))
    made = drive(job(call("first"), call("bad"), call("last")), box)
    assert [p.claim.status for p in made.probes if p.claim] == ["returned", "raised", "returned"]
    assert made.probes[1].claim is not None and made.probes[1].claim.error == LOST
    assert made.probes[1].stop is None
    asked = [(child, request.target) for child, request in box.requests(Call)]
    assert asked == [(1, "first"), (1, "bad"), (2, "last")]
    assert made.measured.children == 2 and all(child.ended for child in box.children)


def test_a_target_that_loses_it_again_and_again_is_not_asked_for_ever() -> None:
    box = FakeBox(failing("bad"))
    made = drive(job(*(call("bad", n) for n in range(9)), call("last")), box)
    assert [p.claim is not None for p in made.probes] == [True, True] + [False] * 7 + [True]
    assert {p.stop.text for p in made.probes if p.stop} == {
        "errors on the accelerator ended its process more than once"
    }
    assert made.measured.children == 3 < MAX_CHILDREN


def test_a_cell_that_loses_the_device_is_cut_out_with_its_claim() -> None:
    def wrong(request: Request) -> Answer | None:
        bad = isinstance(request, RunCell) and request.number == 2
        return CellDone((), LOST) if bad else None

    box = FakeBox(wrong)
    made = drive(job(call("f"), cells=3), box)
    asked = [(child, request.number) for child, request in box.requests(RunCell)]
    assert asked == [(1, 1), (1, 2), (2, 1), (2, 3)]
    assert [c.claim.error for c in made.cells if c.claim] == [None, LOST, None]
    assert made.probes[0].claim == Outcome("returned", 1)


def test_a_name_that_loses_the_device_is_found_one_by_one() -> None:
    names = [Probe(f"e/read/{name}", "e", Read("e", name)) for name in "abc"]

    def wrong(request: Request) -> Answer | None:
        if isinstance(request, Keep) and request.reads:
            lost = Outcome("raised", error=LOST)  # whatever came after the second was lost, too
            return Kept((Outcome("returned", 1), lost, lost))
        bad = isinstance(request, Read) and request.name == "b"
        return Outcome("raised", error=LOST) if bad else None

    made = drive(job(*names), FakeBox(wrong))
    assert [p.claim.status for p in made.probes if p.claim] == ["returned", "raised", "returned"]


def test_in_an_ordinary_job_such_a_text_means_nothing() -> None:
    def wrong(request: Request) -> Answer | None:
        if isinstance(request, RunCell) and request.number == 1:
            return CellDone((), LOST)
        return failing("bad")(request)

    box = FakeBox(wrong)
    made = drive(job(call("bad"), call("last"), device="", cells=2), box)
    assert made.measured.children == 1 and len(box.requests(RunCell)) == 2
    assert made.probes[0].claim is not None and made.probes[0].claim.error == LOST


def test_memory_of_the_device_is_not_memory_of_the_machine() -> None:
    """A cell that holds much of the machine's memory is not cut out for it."""
    error = Error(("OutOfMemoryError", "RuntimeError"), "CUDA out of memory. Tried to allocate")

    def wrong(request: Request) -> Answer | None:
        if isinstance(request, RunCell):
            box.held += 900
        return CellDone((), error) if isinstance(request, RunCell) else None

    box = FakeBox(wrong)
    made = drive(job(cells=1, memory_mb=1000), box)
    assert made.cells[0].stop is None and made.measured.children == 1


@pytest.mark.parametrize(("device", "device_mb"), [("cuda", 333), ("", 0)])
def test_the_first_request_names_the_device_and_its_bound(device: str, device_mb: int) -> None:
    box = FakeBox()
    drive(job(call("f"), device=device, device_mb=333), box)
    ((_, begin),) = box.requests(Begin)
    assert (begin.device, begin.device_mb, box.started) == (device, device_mb, bool(device))


def test_a_device_that_cannot_be_used_is_our_fault_before_any_student_code() -> None:
    def wrong(request: Request) -> Answer | None:
        error = Error(("RuntimeError",), "CUDA error 304")
        return Outcome("raised", error=error) if isinstance(request, Begin) else None

    box = FakeBox(wrong)
    with pytest.raises(
        SandboxError, match="cuda could not be used inside the sandbox: CUDA error 304"
    ):
        drive(job(call("f")), box)
    assert box.requests(RunCell) == [] and box.children[0].ended


def test_the_first_use_of_a_device_is_not_the_notebooks_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def slow(request: Request) -> None:
        now[0] += 50.0 if isinstance(request, Begin) else 0.1

    made = drive(job(call("f"), submission_wall_s=10), FakeBox(slow))
    assert made.probes[0].claim == Outcome("returned", 1)


# ---------------------------------------------------------------- evidence

SIMULATED = CallEnvironment("cuda", simulated=True)


def test_only_calls_on_a_real_device_go_there_and_its_runs_are_kept(tmp_path: Path) -> None:
    cpu, device = Runs(), Runs()
    context = setting_of(tmp_path, cpu, device)
    name = Probe("e/read/x", "e", Read("e", "x"))
    here = (name, call("f"), call("f", 1, CPU), call("f", 2, SIMULATED))
    asked = (*here, call("f", 3, CUDA), call("f", 4, CallEnvironment("mps")))
    whole = msgspec.structs.replace(job(*asked, device=""), draw=True, pretend=True)
    made, fresh = evidence(context, whole)
    assert fresh and [p.id for p in made.probes] == [p.id for p in asked[:-1]]
    assert [(j.device, j.probes) for j in cpu.jobs] == [("", here)]
    (there,) = device.jobs
    assert (there.device, there.probes, there.cells) == ("cuda", asked[4:5], whole.cells)
    assert not there.draw and not there.pretend
    again, fresh = evidence(context, whole)
    assert not fresh and again.probes == made.probes and len(device.jobs) == 1
    stored, _ = evidence(setting_of(tmp_path, cpu, None), whole)
    assert stored.probes == made.probes and stored.lost == ()


def test_nothing_is_run_there_without_devices_or_questions(tmp_path: Path) -> None:
    cpu, device = Runs(), Runs()
    with_devices = setting_of(tmp_path, cpu, device)
    made, _ = evidence(replace(with_devices, devices=()), WHOLE)
    assert [p.id for p in made.probes] == ["e/call/f/0"] and device.jobs == []
    assert cpu.jobs[0].probes == (WHOLE.probes[0],)
    made, _ = evidence(with_devices, on_cpu(WHOLE))
    assert device.jobs == [] and made.lost == ()


def test_a_lost_device_run_leaves_the_rest_and_is_named(tmp_path: Path) -> None:
    cpu, device = Runs(), Runs("the driver is gone")
    gone, context = setting_of(tmp_path, cpu, None), setting_of(tmp_path, cpu, device)
    for setting, why in (
        (gone, "there is no cuda on this machine, and no stored evidence"),
        (context, "the driver is gone"),
    ):
        made, _ = evidence(setting, WHOLE)
        assert [p.id for p in made.probes] == ["e/call/f/0"]
        assert made.lost == (f"not run on cuda: {why}",)
    device.lost = ""
    mended, _ = evidence(context, WHOLE)
    assert mended.lost == () and len(mended.probes) == 2  # nothing of the loss was kept


def test_judging_again_uses_no_device(tmp_path: Path) -> None:
    prepared: Any = PreparedClass(setting_of(tmp_path, Runs(), Runs()), Run((), (), MEASURED), ())
    stored = only_stored(prepared)
    assert stored.context.devices == ("cuda",) and stored.context.device_runner is None


# ---------------------------------------------------------------- which devices

GPU = Accelerator("cuda", "A", 8000)


def test_a_job_takes_its_part_of_the_devices_memory() -> None:
    free = []

    class Looking(Runs):
        def run(self, job: Job) -> Run:
            free.append(runner.shares._free)
            return super().run(job)

    devices = used(GPU, Looking())
    runner = devices.runner
    assert isinstance(runner, DeviceRunner)
    assert runner.accepts("strong") and not runner.accepts("weak")
    assert runner.run(job(call("f"), device_mb=2048)).probes
    assert free == [4352]  # besides 2048 and a context of 800 MB, of nine tenths of 8000 MB


def asking(*devices: str) -> Assignment:
    """An assignment with a check of these devices, or without one."""
    titled = {"title": "Any title"}
    kind: dict[str, Any] = {"kind": "value", "name": "f"}
    if devices:
        kind = {"kind": "device", "call": "f", "inputs": "x", "devices": devices}
    check = {"id": "f", "points": 1, **titled, **kind}
    exercise = {"id": "e", "defines": ["f"], "check": [check], **titled}
    return Assignment.model_validate({"format": 1, "id": "a", "exercise": [exercise], **titled})


def test_devices_are_looked_for_where_a_check_asks_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    site, found = Site("strong"), FoundAccelerators((GPU,))
    looked = []

    def find() -> FoundAccelerators:
        looked.append(found)
        return found

    monkeypatch.setattr(boxes, "find_accelerators", find)

    def there(spec: Assignment, wish: str) -> Devices:
        with devices_for(spec, site, wish) as devices:
            return devices

    assert wanted_devices(asking()) == frozenset()
    assert wanted_devices(asking("cuda")) == frozenset({"cuda"})
    assert there(asking(), "auto") == there(asking("cuda"), "none") == NO_DEVICES and looked == []
    assert there(asking("cuda"), "auto").names == there(asking("cuda"), "cuda").names == ("cuda",)
    none = "no real accelerator: "
    assert there(asking("mps"), "auto") == Devices(note=f"{none}none that a check asks for")
    with pytest.raises(UsageError, match=r"--devices gpu: not available .there is only cuda"):
        there(asking("cuda"), "gpu")
    found = FoundAccelerators(reason="built without")
    assert there(asking("cuda"), "auto") == Devices(note=f"{none}built without")
    with pytest.raises(UsageError, match=r"built without.; use --devices auto"):
        there(asking("cuda"), "cuda")


def test_a_class_is_judged_again_on_the_devices_it_was_graded_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(boxes, "find_accelerators", lambda: FoundAccelerators(reason="gone"))
    site = Site("weak")
    for wish, before, expected in (
        ("auto", ("cuda",), Devices(("cuda",))),
        ("none", ("cuda",), NO_DEVICES),
        ("auto", (), NO_DEVICES),
    ):
        with stored_devices(site, wish, before) as there:
            assert there == expected
    absent = stored_devices(site, "cuda", ())
    with pytest.raises(UsageError, match="graded without"), absent:
        raise AssertionError("it was not graded on cuda")
    monkeypatch.setattr(boxes, "find_accelerators", lambda: FoundAccelerators((GPU,)))
    with stored_devices(site, "auto", ("cuda",)) as there:
        assert there.names == ("cuda",) and there.runner is not None
