"""The kind `device` through the whole flow: boxes, verdicts, words. No GPU is needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autograder.evidence.records import Measured, ProbeRun, Run, TimeSpent
from autograder.gradebook.grade import CheckGrade, Grade
from autograder.grading.context import PreparedClass
from autograder.grading.job import evidence, make_job
from autograder.judging.checks.claims import returned
from autograder.judging.checks.finding import Finding
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.notebook.structure.accelerators import asks_for_one
from autograder.reports.feedback.words import where_tried
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call, Error, Outcome, Probe
from tests.support.changed_solution import graded, lost, replace_source
from tests.support.courses import prepare_course, write_course
from tests.support.device_course import DEVICES, check_of


@pytest.fixture(scope="module")
def ready(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    course = write_course(tmp_path_factory.mktemp("course"), DEVICES)
    return prepare_course(course, warm_box, tmp_path_factory.mktemp("evidence"))


def mistake_of(check: CheckGrade) -> str:
    """The one mistake that a check names."""
    assert check.cause is not None and check.cause.sure == "named"
    (mistake,) = check.cause.mistakes
    return mistake.name


def test_the_solution_passes_and_says_where_it_was_tried(ready: PreparedClass) -> None:
    grade = graded(ready)
    assert lost(grade) == {}
    for exercise in ("waves", "Layer", "move"):
        said = where_tried(check_of(grade, exercise).devices)
        assert said == (
            "Tried on the CPU, the CPU beside an accelerator and simulated CUDA. "
            "Not tested on a GPU: the grading machine has none."
        )


WRONG = {
    "made without a device": (
        "waves",
        "torch.arange(1, 3, device=ids.device)",
        "torch.arange(1, 3)",
        "device_steps",
        "`torch.arange(1, 3)` in cell 4, line 4, creates its result on the CPU; "
        "pass `device=ids.device`.",
    ),
    "made of a list": (
        "waves",
        "torch.arange(1, 3, device=ids.device)",
        "torch.tensor([1, 2])",
        "device_steps",
        "`torch.tensor([1, 2])` in cell 4, line 4, creates its result on the CPU; "
        "pass `device=ids.device`.",
    ),
    "made for another operation": (
        "waves",
        "torch.sin(ids[..., None] * scale)",
        "torch.sin(torch.einsum('bt,d->btd', ids, torch.arange(1, 3)))",
        "device_made_on_cpu",
        "`torch.arange(1, 3)` in cell 4, line 5, creates its result on the CPU",
    ),
    "result left behind": (
        "waves",
        "    return torch.sin(ids[..., None] * scale)",
        "    out = torch.zeros(*ids.shape, 2)\n    out[...] = torch.sin(ids[..., None] * scale)\n"
        "    return out",
        "device_result_left",
        "The result is on the CPU; it should be on `cuda`.",
    ),
    "NumPy": (
        "waves",
        "torch.sin(ids[..., None] * scale)",
        "torch.from_numpy(__import__('numpy').sin((ids[..., None] * scale).numpy()))",
        "device_numpy",
        "can't convert cuda:0 device type tensor to numpy",
    ),
    "fixed": (
        "waves",
        "torch.arange(1, 3, device=ids.device)",
        "torch.arange(1, 3, device='cuda' if torch.cuda.is_available() else 'cpu')",
        "device_fixed",
        "On the CPU beside an accelerator: ",
    ),
    "plain attribute": (
        "Layer",
        'self.register_buffer("added", steps(rows, columns), persistent=False)',
        "self.added = steps(rows, columns)",
        "device_plain_attribute",
        "`Layer.added` is a plain attribute",
    ),
    "plain list": (
        "Layer",
        "return self.table(ids) +",
        "return 0 * self.rows[0](self.table(ids)) + self.table(ids) +",
        "device_plain_list",
        "`.to(device)` does not reach `Layer.rows[0]",
    ),
    "kept by another object": (
        "Layer",
        "        return self.table(ids) +",
        "        return self.look(ids) +",
        "device_original",
        "as a deep copy",
    ),
    "a state dict of its own": (
        "Layer",
        "    def forward(self, ids):",
        "    def state_dict(self, *given, **named):\n        return {}\n\n"
        "    def forward(self, ids):",
        "",
        "loaded from a state dict",
    ),
    "no gradient there": (
        "Layer",
        "        return self.table(ids) +",
        "        rows = self.table(ids)\n"
        "        if rows.is_cuda:\n            rows = rows.detach()\n        return rows +",
        "",
        "no gradient reaches it",
    ),
    "kept from the first call": (
        "Layer",
        "        return self.table(ids) + self.added[: ids.shape[1]]",
        "        if not hasattr(self, 'kept'):\n"
        "            self.kept = steps(*self.table.weight.shape).to(ids.device)\n"
        "        return self.table(ids) + self.kept[: ids.shape[1]]",
        "device_cache",
        "after a call on the CPU",
    ),
    "not moved": (
        "move",
        "return model.to(device)(ids.to(device))",
        "ids.to(device)\n    return model.to(device)(ids)",
        "device_not_moved",
        "`ids` is still on",
    ),
    "brought back": (
        "move",
        "return model.to(device)(ids.to(device))",
        "return model.to(device)(ids.to(device)).cpu()",
        "device_result_left",
        "The result is on the CPU",
    ),
}
EXTRA = (
    "        self.table = nn.Embedding(rows, columns)",
    "        self.rows = [nn.Linear(columns, columns)]\n"
    "        self.look = lambda ids: self.table(ids)\n"
    "        self.table = nn.Embedding(rows, columns)",
)


@pytest.mark.parametrize("name", WRONG)
def test_each_mistake_has_its_name_its_line_and_its_remedy(ready: PreparedClass, name: str) -> None:
    exercise, old, new, mistake, words = WRONG[name]
    changes = [(old, new), *([EXTRA] if "rows[0]" in new or "look" in new else [])]
    check = check_of(graded(ready, *changes), exercise)
    assert check.status in (Status.FAILED, Status.RAISED)
    assert words in check.message
    if mistake:
        assert mistake_of(check) == mistake
        assert check.diagnosis


ASKS = ("import torch\n", "import torch\nfound = torch.cuda.is_available()\n")
SIMULATED = ("cuda", "simulated")


def result_of(check: CheckGrade, device: str, how: str) -> str:
    """How it went on one device."""
    (found,) = (ran for ran in check.devices if (ran.device, ran.how) == (device, how))
    return f"{found.result}: {found.note}" if found.note else found.result


def open_in(grade: Grade) -> set[str]:
    """The checks that wait for a person, where no other one is lost."""
    every = {f"{e.id}/{c.id}": c for e in grade.exercises for c in e.checks}
    waiting = {name for name, check in every.items() if check.status is Status.UNGRADED}
    assert set(lost(grade)) == waiting
    assert all(every[name].score is None for name in waiting)
    return waiting


def test_cells_that_ask_for_an_accelerator_are_run_beside_one(ready: PreparedClass) -> None:
    """The name holds what it would hold on a machine with an accelerator."""
    changes = (
        ASKS,
        (
            "    return torch.sin(ids[..., None] * scale)",
            "    assert found or not ids.is_cuda\n    return torch.sin(ids[..., None] * scale)",
        ),
    )
    grade = graded(ready, *changes)
    assert lost(grade) == {}
    assert result_of(check_of(grade, "waves"), *SIMULATED) == "right"


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("if found:\n    raise ValueError\n", "the cell that defines it does not finish there"),
        ("while found:\n    pass\n", "the cell that defines it does not finish there"),
        (
            "import os\nif found:\n    os._exit(3)\n",
            "the notebook did not finish beside a simulated accelerator",
        ),
    ],
)
def test_a_notebook_that_stops_beside_an_accelerator_loses_nothing(
    ready: PreparedClass, cell: str, why: str
) -> None:
    changes = (ASKS, ("def waves(ids):", f"{cell}def waves(ids):"))
    grade = graded(ready, *changes)
    assert "waves/devices" in open_in(grade)
    assert result_of(check_of(grade, "waves"), *SIMULATED) == f"not simulated: {why}"
    assert "Not simulated: " in where_tried(check_of(grade, "waves").devices)


@pytest.mark.parametrize("there", ["print('there')\n    1 / 0", "__import__('os')._exit(3)"])
def test_what_cells_do_beside_an_accelerator_is_not_kept(ready: PreparedClass, there: str) -> None:
    """Neither what they print nor how they end."""
    changes = (
        ASKS,
        ("def waves(ids):", f"if found:\n    {there}\ndef waves(ids):"),
    )
    solution = read(ready.context.loaded.solution)
    cells = solution.cells
    for change in changes:
        cells = tuple(replace_source(cell, *change) for cell in cells)
    run, _ = evidence(ready.context, make_job(ready.context, replace(solution, cells=cells))[0])
    assert all(cell.claim is not None and cell.claim.error is None for cell in run.cells)
    assert all(cell.stop is None for cell in run.cells)
    assert not any(cell.claim.outputs for cell in run.cells if cell.claim)


def test_an_object_that_goes_to_the_accelerator_by_itself_is_right(ready: PreparedClass) -> None:
    """It is brought to the CPU before it is used there."""
    own = (
        "        self.table = nn.Embedding(rows, columns)",
        "        self.table = nn.Embedding(rows, columns).to('cuda' if found else 'cpu')",
    )
    grade = graded(ready, ASKS, own)
    assert lost(grade) == {}
    assert result_of(check_of(grade, "Layer"), *SIMULATED) == "right"


def test_two_mistakes_one_of_devices_are_both_explained(ready: PreparedClass) -> None:
    """What is wrong on the CPU explains the check of devices, and is not hidden by it."""
    both = graded(ready, ("torch.arange(1, 3, device=ids.device)", "torch.arange(0, 2)"))
    (waves,) = (e for e in both.exercises if e.id == "waves")
    assert {mistake_of(check) for check in waves.checks} == {"from_zero"}
    assert check_of(both, "waves").message.startswith("2 of 2 calls are wrong.")


def test_a_call_that_hangs_on_the_accelerator_alone_costs_no_other_check(
    ready: PreparedClass,
) -> None:
    endless = (
        "    return torch.sin(ids",
        "    while ids.is_cuda:\n        pass\n    return torch.sin(ids",
    )
    grade = graded(ready, endless)
    assert open_in(grade) == {"waves/devices"}
    said = result_of(check_of(grade, "waves"), *SIMULATED)
    assert said.startswith("not simulated: it used more than 1 seconds")


def test_an_operation_that_is_not_simulated_is_named_and_left_to_a_person(
    ready: PreparedClass,
) -> None:
    line = "    return torch.sin(ids"
    second = (line, f"    if ids.is_cuda:\n        torch.cuda.CUDAGraph()\n{line}")
    grade = graded(ready, second)
    assert open_in(grade) == {"waves/devices"}
    assert result_of(check_of(grade, "waves"), *SIMULATED).startswith("not simulated: ")


FAULTS = "from autograder.runner.simulated_device import faults, unsupported"
NO_LU = "\"lu_cpu\" not implemented for 'Half'"
FORGED = {
    "of what is simulated": "raise faults.NotSimulated('sin')",
    "of what is answered": "raise faults.NotSimulated('torch.cuda.is_available')",
    "of what does not exist": "raise faults.NotSimulated('torch.cuda.nothing')",
    "of a text that changes": "raise faults.NotSimulated(type('T', (str,), {"
    "'__str__': lambda s: 'TorchScript', '__getitem__': lambda s, i: 'TorchScript'})('x'))",
    "of nothing": "e = faults.NotSimulated('TorchScript'); del e.op; raise e",
    "of another class": "raise type('NotSimulated', (faults.NotSimulated,), {})('TorchScript')",
    "in torch's words": f"raise NotImplementedError({NO_LU!r})",
    "in words of its own": f"raise RuntimeError({NO_LU!r})",
    "with a mark": "e = RuntimeError('x'); e._simulated_function = 'TorchScript'; raise e",
    "by a changed judge": "unsupported.not_simulated.__code__ = "
    "(lambda error: 'sin').__code__; raise ValueError",
    "by an error of torch": "torch.zeros(2) + torch.zeros(3)",
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_claim_is_an_error(ready: PreparedClass, how: str) -> None:
    line = "    return torch.sin(ids"
    forged = f"    if ids.is_cuda:\n        {FAULTS}\n        {FORGED[how]}\n{line}"
    grade = graded(ready, (line, forged))
    assert set(lost(grade)) == {"waves/devices"}
    check = check_of(grade, "waves")
    assert check.status is Status.RAISED and check.score == 0


@pytest.mark.parametrize("how", FORGED)
def test_no_claim_helps_an_ordinary_call(ready: PreparedClass, how: str) -> None:
    line = "    return torch.sin(ids"
    grade = graded(ready, (line, f"    {FAULTS}\n    {FORGED[how]}\n{line}"))
    checks = {c.id: c for e in grade.exercises for c in e.checks if e.id == "waves"}
    assert {check.status for check in checks.values()} == {Status.RAISED}


def test_a_forged_outcome_of_an_ordinary_call_is_an_error() -> None:
    """A hand-in may claim of any call that it is not supported."""
    probe = Probe("a", "waves", Call("waves", "waves", ()))
    claim = Outcome("unsupported", error=Error(("RuntimeError",), "TorchScript"))
    measured = Measured(0.0, 0.0, 0.0, 1, "strong", ())
    run = Run((), (ProbeRun("a", claim, None, TimeSpent(0.0, 0.0)),), measured)
    found = returned(run, probe)
    assert isinstance(found, Finding) and found.status is Status.RAISED


def test_simulated_calls_have_a_share_of_the_run_and_no_more(
    warm_box: LazyBox, tmp_path: Path
) -> None:
    """What they take together must not keep an ordinary call from being made."""
    limits = ("cell_cpu_s = 2\n", "cell_cpu_s = 2\nsubmission_wall_s = 20\n")
    course = write_course(tmp_path / "course", DEVICES, assignment=limits)
    prepared = prepare_course(course, warm_box, tmp_path / "evidence")
    endless = "    while ids.is_cuda:\n        pass\n"
    grade = graded(
        prepared,
        ("    return torch.sin(ids", f"{endless}    return torch.sin(ids"),
        (
            "        return self.table(ids) +",
            "        while ids.is_cuda:\n            pass\n        return self.table(ids) +",
        ),
        (
            "    return model.to(device)(ids.to(device))",
            "    ids = ids.to(device)\n" + endless + "    return model.to(device)(ids)",
        ),
    )
    assert open_in(grade) == {"waves/devices", "Layer/devices", "move/devices"}
    notes = [ran.note for e in grade.exercises for c in e.checks for ran in c.devices if ran.note]
    assert any("used up their share of the run" in note for note in notes)


def test_what_a_simulated_call_leaves_open_reaches_no_other_one(ready: PreparedClass) -> None:
    line = "    return torch.sin(ids"
    grade = graded(
        ready,
        (
            line,
            "    t = torch.autocast(ids.device.type, dtype=torch.bfloat16)\n"
            "    if ids.is_cuda:\n        t.__enter__()\n"
            "    one = torch.eye(2, device=ids.device)\n"
            "    one = one @ torch.full((2, 2), 1.001, device=ids.device)\n"
            "    if not ids.is_cuda and one.dtype != torch.float32:\n        return ids\n" + line,
        ),
    )
    assert "waves/numbers" not in lost(grade)


OWN_TO = (
    "    def forward(self, ids):",
    "    def to(self, device):\n        super().to(device)\n\n    def forward(self, ids):",
)


def test_a_module_whose_own_to_returns_nothing_is_wrong(ready: PreparedClass) -> None:
    check = check_of(graded(ready, OWN_TO), "Layer")
    assert check.status is Status.RAISED
    assert "`to` returns NoneType, not the module" in check.message


@pytest.mark.parametrize(
    "again", ["e.met = 5\n        raise", "raise type(e)(f'here: {e}') from e"]
)
def test_an_exception_that_is_caught_and_raised_again_stays_one(
    ready: PreparedClass, again: str
) -> None:
    changes = (
        ("torch.arange(1, 3, device=ids.device)", "torch.arange(1, 3)"),
        (
            "    return torch.sin(ids[..., None] * scale)",
            "    try:\n        return torch.sin(ids[..., None] * scale)\n"
            f"    except RuntimeError as e:\n        {again}",
        ),
    )
    check = check_of(graded(ready, *changes), "waves")
    assert check.status is Status.RAISED
    assert "raised RuntimeError: " in check.message
    assert "Expected all tensors to be on the same device" in check.message


@pytest.mark.parametrize(
    ("source", "asks"),
    [
        ("d = torch.get_default_device()", True),
        ("x = 1  # cuda", False),
        ("y = barracuda", False),
        ("if torch.cuda.is_available():\n    pass", True),
        ("d = torch.accelerator", True),
    ],
)
def test_cells_that_speak_of_accelerators_are_known(source: str, asks: bool) -> None:
    assert asks_for_one([source]) is asks


def test_memory_that_lacks_on_the_accelerator_cuts_no_cell_out(
    warm_box: LazyBox, tmp_path: Path
) -> None:
    """There every table is there twice, and the notebook's own one is no culprit."""
    limits = ("cell_cpu_s = 2\n", "cell_cpu_s = 2\nmemory_mb = 400\n")
    course = write_course(tmp_path / "course", DEVICES, assignment=limits)
    prepared = prepare_course(course, warm_box, tmp_path / "evidence")
    grade = graded(
        prepared,
        ("import torch\n", "import torch\nBIG = torch.ones(70_000_000)\n"),
        (
            "    return torch.sin(ids",
            "    if BIG[0] and ids.is_cuda:\n        raise MemoryError\n    return torch.sin(ids",
        ),
    )
    assert open_in(grade) == {"waves/devices"}
    said = result_of(check_of(grade, "waves"), *SIMULATED)
    assert said == "not simulated: there is not enough memory for a second copy"
