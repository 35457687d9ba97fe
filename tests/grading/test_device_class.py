"""A class on a real accelerator, as far as it goes without one: in the second box the simulation
stands in for the real device, and a node of another sort for the GPU's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.assignment.pretrained import Offer
from autograder.classroom import boxes
from autograder.classroom.boxes import box_at, site_of
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import SandboxError
from autograder.evidence.records import Run
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.grading.device_runs import used
from autograder.reports.feedback.words import where_tried
from autograder.sandbox import box as box_module
from autograder.sandbox.accelerators import Accelerator, FoundAccelerators
from autograder.sandbox.isolation.premises import copy_inside
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Job
from tests.support.changed_solution import device_check, graded, lost
from tests.support.courses import DEVICES, write_course
from tests.support.in_process import command

GPU = Accelerator("cuda", "a pretended GPU", 8000, nodes=("/dev/full",), visible="GPU-7")
ROOT = Path(__file__).resolve().parents[2]
OFFER = Offer(None, "", frozenset(), ())
STUB = """
def begin(device, device_mb):
    print((device, device_mb))
def seed(device, number):
    pass
def settle(device):
    pass
def in_use():
    return ""
"""


def stand_in(target: Path) -> None:
    """The packages inside, with the simulation wherever a real device would be used."""
    copy_inside(target)
    places = target / "runner" / "places.py"
    text = places.read_text()
    assert text.count("if place.simulated else") == 1
    places.write_text(text.replace("if place.simulated else", 'if place.device != "cpu" else'))
    (target / "runner" / "real_device.py").write_text(STUB)


@pytest.fixture(scope="module")
def ready(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreparedClass]:
    course = write_course(tmp_path_factory.mktemp("course"), DEVICES)
    with (
        pytest.MonkeyPatch.context() as patch,
        box_at(site_of(course, OFFER, require="weak"), device=GPU) as second,
    ):
        patch.setattr(box_module, "copy_inside", stand_in)
        context = make_context(
            course,
            OFFER,
            warm_box,
            seed=5,
            draw=False,
            evidence=tmp_path_factory.mktemp("kept"),
            devices=used(GPU, second),
        )
        yield prepare_reference(context, Inline(), lambda what, total: None, mistakes=False)


def test_the_solution_is_tried_on_the_device_too(ready: PreparedClass) -> None:
    assert any(p.id for p in ready.expected.probes if p.claim) and ready.expected.lost == ()
    grade = graded(ready)
    assert lost(grade) == {}
    said = where_tried(device_check(grade, "waves").devices)
    assert said.startswith("Tried on the CPU, the CPU beside an accelerator, simulated CUDA and ")
    assert "Not tested on a GPU" not in said


def test_what_fails_there_alone_fails(ready: PreparedClass) -> None:
    """Code that can tell the second box from the first."""
    old = "    return torch.sin(ids[..., None] * scale)"
    new = (
        "    if __import__('os').environ['CUDA_VISIBLE_DEVICES']:\n"
        f"        return torch.sin(ids[..., None] * scale) + 1\n{old}"
    )
    found = lost(graded(ready, (old, new)))
    assert set(found) == {"waves/devices"}
    assert found["waves/devices"].startswith("On the CUDA device")


class Lost:
    """A device box that is lost with every job."""

    def run(self, job: Job) -> Run:
        raise SandboxError("the driver is gone")

    def accepts(self, level: str) -> bool:
        return True


def test_a_lost_device_costs_nothing_and_a_person_looks(ready: PreparedClass) -> None:
    """The hand-in is a new one, so that nothing of it is stored."""
    changed = replace(ready, context=replace(ready.context, device_runner=Lost()))
    old, new = "return torch.sin(", "return 1.0 * torch.sin("
    grade = graded(changed, (old, new))
    assert grade.status == "ungraded" and grade.score is None
    assert "not run on cuda: the driver is gone" in grade.reason
    statuses = {(e.id, c.id): c.status.value for e in grade.exercises for c in e.checks}
    assert statuses.pop(("waves", "devices")) == "ungraded"
    assert statuses.pop(("waves", "numbers")) == "passed"


def test_a_first_solution_on_a_lost_device_ends_the_command(
    ready: PreparedClass, tmp_path: Path
) -> None:
    context = make_context(
        ready.context.loaded,
        OFFER,
        ready.context.runner,
        seed=6,
        draw=False,
        evidence=tmp_path,
        devices=used(GPU, Lost()),
    )
    with pytest.raises(SandboxError, match="not run on cuda: the driver is gone; use --devices"):
        prepare_reference(context, Inline(), lambda what, total: None)


# ---------------------------------------------------------------- the command line


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small course without a GPU, where any start of a box is an error."""

    def refuse(**options: object) -> None:
        raise SandboxError(f"a box was started for {options['device']}")

    monkeypatch.setattr(boxes, "Box", refuse)
    found = FoundAccelerators(reason="torch is built without CUDA")
    monkeypatch.setattr(boxes, "find_accelerators", lambda: found)
    loaded = write_course(tmp_path, DEVICES)
    (tmp_path / "student-01.py").write_text("x = 1\n")
    return loaded.folder


def test_a_device_that_is_not_there_ends_the_command_before_anything(
    course: Path, tmp_path: Path
) -> None:
    out = tmp_path / "new"
    grading = ("grade", course, tmp_path / "student-01.py", "--out", out, "--devices", "cuda")
    for arguments in (grading, ("validate", course, "--devices", "cuda")):
        ran = command(*arguments)
        assert (ran.code, ran.out) == (2, "") and "Traceback" not in ran.err
        assert "--devices cuda: not available (torch is built without CUDA)" in ran.err
        assert "use --devices auto" in ran.err
    assert not (out / "run.json").exists() and not list(out.rglob("*.evidence"))


def test_which_devices_there_are_is_said_and_kept(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "new"
    grading = ("grade", course, tmp_path / "student-01.py", "--out", out)
    ran = command(*grading)
    assert ran.code == 1 and "a box was started for None" in ran.err
    assert "no real accelerator: torch is built without CUDA" in ran.err
    assert '"devices": []' in (out / "run.json").read_text()
    monkeypatch.setattr(boxes, "find_accelerators", lambda: FoundAccelerators((GPU,)))
    assert "also tested on cuda: a pretended GPU, 8000 MB" in command(*grading).err
    assert '"cuda"' in (out / "run.json").read_text()
    assert "accelerator" not in command(*grading, "--devices", "none").err
    assert '"devices": []' in (out / "run.json").read_text()
    ran = command("regrade", out, "--devices", "cuda", "--yes")
    assert ran.code == 2 and "the class was graded without" in ran.err
