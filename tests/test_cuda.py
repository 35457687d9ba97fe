"""What only a machine with a GPU can show: the cases on real CUDA, and the box that has one.

All of it is skipped elsewhere; what compares and prints is tested at the end, everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch

from autograder.evidence.stops import says_device_lost, says_no_device_memory
from autograder.sandbox.accelerators import Accelerator, find_accelerators
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.sandbox.selftest import device_fails
from autograder.wire.messages import Call, CallEnvironment, Cell, Job, Limits, Outcome, Probe
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array
from docs.tools import confirm_devices
from docs.tools.confirm_devices import NONE, agreement, main, on_real, on_simulated
from tests.support.device_cases import CASES, Case
from tests.support.device_driver import Seen

cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


@cuda
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_real_device_and_the_simulated_one_say_the_same(case: Case) -> None:
    (row,) = agreement([case], on_real, on_simulated)
    assert row.differs == "", (row.real[1].error, row.simulated[1].error)


@cuda
def test_the_table_of_agreement(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0, capsys.readouterr().out
    with capsys.disabled():
        print(capsys.readouterr().out)


# ---------------------------------------------------------------- the box


@pytest.fixture(scope="module")
def gpu() -> Accelerator:
    found = find_accelerators()
    device = found.first("cuda")
    assert device is not None, found.reason
    return device


@pytest.fixture(scope="module")
def box(gpu: Accelerator) -> Iterator[Box]:
    with Box(device=gpu) as made:
        yield made


CELLS = """
import torch
def plus(x): return x + 1
def large(x): return torch.ones(2**28, device=x.device).sum() + x
def bad(x):
    rows = torch.full((1,), 99, device=x.device)
    return torch.nn.functional.embedding(rows, torch.ones(3, 3, device=x.device)) + x.sum()
"""


def asked(*targets: str, device: str = "cuda", **limits: int) -> Job:
    x = to_wire(torch.tensor([1.0, 2.0]))
    place = CallEnvironment(device) if device else None
    probes = tuple(
        Probe(f"{n}", "e", Call("e", target, (x,), place=place)) for n, target in enumerate(targets)
    )
    bounds = Limits(submission_wall_s=200, **limits)  # type: ignore[arg-type]
    return Job((Cell(1, CELLS, "e"),), (("e", 1),), probes, 1, bounds, draw=False, device=device)


def claims(job: Job, box: Box) -> list[Outcome]:
    made = run(job, box)
    found = [made.probe(probe.id) for probe in job.probes]
    assert all(one is not None and one.claim is not None for one in found), found
    return [one.claim for one in found if one is not None and one.claim is not None]


@cuda
def test_the_device_has_its_node(gpu: Accelerator) -> None:
    assert gpu.nodes and gpu.memory_mb > 0 and all(Path(node).exists() for node in gpu.nodes)


@cuda
def test_a_device_works_inside_its_box(box: Box) -> None:
    assert box.isolation.level != "none"
    assert device_fails(box, "cuda") == ""


@cuda
def test_an_ordinary_box_sees_no_device() -> None:
    cell = Cell(1, "import torch\ndef there(x): return torch.cuda.is_available()", "e")
    x = to_wire(torch.ones(1))
    probe = Probe("0", "e", Call("e", "there", (x,)))
    job = Job((cell,), (("e", 1),), (probe,), 1, Limits(), draw=False)
    with Box() as ordinary:
        (claim,) = claims(job, ordinary)
    assert claim.value is False


@cuda
def test_memory_of_the_device_is_bounded(box: Box) -> None:
    large, plus = claims(asked("large", "plus", device_mb=256), box)
    assert large.error is not None and says_no_device_memory(large.error), large.error
    assert plus.status == "returned"
    (enough,) = claims(asked("large", device_mb=2048), box)
    assert enough.status == "returned", enough.error


@cuda
def test_an_error_that_loses_the_device_costs_only_its_own_call(box: Box) -> None:
    first, bad, last = claims(asked("plus", "bad", "plus"), box)
    assert bad.error is not None and says_device_lost(bad.error), bad.error
    assert (first.status, last.status) == ("returned", "returned")


@cuda
def test_several_children_use_the_device_at_the_same_time(box: Box) -> None:
    with ThreadPoolExecutor(3) as pool:
        several = list(pool.map(lambda _: claims(asked("plus"), box), range(3)))
    for (claim,) in several:
        assert isinstance(claim.value, Array) and claim.value.device.split(":")[0] == "cuda"


# ---------------------------------------------------------------- the table, on any machine


def seen_as(cpu: str, device: str, line: str = "") -> confirm_devices.Try:
    def say(case: Case, where: str) -> Seen:
        verdict = cpu if where == "cpu" else device
        return Seen(verdict, line=line if verdict == "E" else "")  # type: ignore[arg-type]

    return say


@pytest.mark.parametrize(
    ("real", "simulated", "says"),
    [
        (("ok", "E", "a"), ("ok", "E", "a"), ""),
        (("ok", "ok", ""), ("ok", "E", "a"), "real ok ok, stated ok E"),
        (("ok", "E", "a"), ("ok", "D", ""), "simulated ok D, stated ok E"),
        (("ok", "E", "a"), ("ok", "E", "b"), "real at 'a', simulated at 'b'"),
        (("E", "E", "a"), ("E", "E", "a"), "real E E, stated ok E"),
    ],
)
def test_a_difference_is_said_written_down_and_a_failure(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    real: tuple[str, str, str],
    simulated: tuple[str, str, str],
    says: str,
) -> None:
    case = Case("A1", "pe", "ok", "E", "a | in a note", "")
    (row,) = agreement([case], seen_as(*real), seen_as(*simulated))
    assert row.differs == says
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(confirm_devices, "CASES", [case])
    monkeypatch.setattr(confirm_devices, "on_real", seen_as(*real))
    monkeypatch.setattr(confirm_devices, "on_simulated", seen_as(*simulated))
    page = tmp_path / "devices.md"
    page.write_text("before\n<!-- agreement -->\nold\n<!-- /agreement -->\nafter\n")
    assert main(["--write", str(page)]) == int(bool(says))
    text = page.read_text()
    assert f"`make cuda`: {int(not says)} of 1 cases agree." in text
    assert f"| A1 | a / in a note | {real[0]} | {real[1]} | {says or 'the same'} |" in text
    assert "old" not in text and text.endswith("after\n")


def test_without_a_device_nothing_is_confirmed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert main(["--write", str(tmp_path / "devices.md")]) == 0
    assert capsys.readouterr().out.strip() == NONE
    assert not (tmp_path / "devices.md").exists()
