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
from tests.support.changed_solution import (
    device_check,
    graded,
    lost,
    prepared_course,
    replace_source,
    submissions,
)
from tests.support.courses import DEVICES
from tests.support.tables import table_beside


@pytest.fixture(scope="module")
def ready(course_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    return prepared_course(DEVICES, course_box, tmp_path_factory.mktemp("course"))


def mistake_of(check: CheckGrade) -> str:
    """The one mistake that a check names."""
    assert check.cause is not None and check.cause.sure == "named"
    (mistake,) = check.cause.mistakes
    return mistake.name


def test_the_solution_passes_and_says_where_it_was_tried(ready: PreparedClass) -> None:
    grade = graded(ready)
    assert lost(grade) == {}
    for exercise in ("waves", "Layer", "move"):
        said = where_tried(device_check(grade, exercise).devices)
        assert said == (
            "Tried on the CPU, the CPU beside an accelerator and simulated CUDA. "
            "Not tested on a GPU: the grading machine has none."
        )


SCALE = "torch.arange(1, 3, device=ids.device)"
SINE = "    return torch.sin(ids[..., None] * scale)"
ROWS = "        return self.table(ids) +"
MOVED = "    return model.to(device)(ids.to(device))"
FORWARD = "    def forward(self, ids):"
TABLE = "        self.table = nn.Embedding(rows, columns)"
EXTRA = (
    TABLE,
    "        self.rows = [nn.Linear(columns, columns)]\n"
    f"        self.look = lambda ids: self.table(ids)\n{TABLE}",
)
EVERY = table_beside(__file__)
SUBMISSIONS = submissions(
    {
        exercise: {name: {"exercise": exercise, **row} for name, row in rows.items()}
        for exercise, rows in EVERY["wrong"].items()
    }
)


@pytest.mark.parametrize("rows", SUBMISSIONS.values(), ids=SUBMISSIONS)
def test_each_mistake_has_its_name_its_line_and_its_remedy(
    ready: PreparedClass, rows: list[dict[str, str]]
) -> None:
    used = any(part in row["instead"] for row in rows for part in ("self.rows[0]", "self.look"))
    changes = [(row["where"], row["instead"]) for row in rows]
    grade = graded(ready, *changes, *([EXTRA] if used else []))
    for row in rows:
        check = device_check(grade, row["exercise"])
        assert check.status in (Status.FAILED, Status.RAISED)
        assert row["said"] in check.message
        if "mistake" in row:
            assert mistake_of(check) == row["mistake"]
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
    """A name holds what it would hold on a machine with one; an object that goes there by itself
    is brought to the CPU before it is used there."""
    grade = graded(
        ready,
        ASKS,
        (SINE, f"    assert found or not ids.is_cuda\n{SINE}"),
        (TABLE, f"{TABLE}.to('cuda' if found else 'cpu')"),
    )
    assert lost(grade) == {}
    assert result_of(device_check(grade, "waves"), *SIMULATED) == "right"
    assert result_of(device_check(grade, "Layer"), *SIMULATED) == "right"


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
    assert result_of(device_check(grade, "waves"), *SIMULATED) == f"not simulated: {why}"
    assert "Not simulated: " in where_tried(device_check(grade, "waves").devices)


@pytest.mark.parametrize("there", ["print('there')\n    1 / 0", "__import__('os')._exit(3)"])
def test_what_cells_do_beside_an_accelerator_is_not_kept(ready: PreparedClass, there: str) -> None:
    """Neither what they print nor how they end."""
    changes = (ASKS, ("def waves(ids):", f"if found:\n    {there}\ndef waves(ids):"))
    solution = read(ready.context.loaded.solution)
    cells = solution.cells
    for change in changes:
        cells = tuple(replace_source(cell, *change) for cell in cells)
    run, _ = evidence(ready.context, make_job(ready.context, replace(solution, cells=cells))[0])
    assert all(cell.claim is not None and cell.claim.error is None for cell in run.cells)
    assert all(cell.stop is None for cell in run.cells)
    assert not any(cell.claim.outputs for cell in run.cells if cell.claim)


def test_two_mistakes_one_of_devices_are_both_explained(ready: PreparedClass) -> None:
    """What is wrong on the CPU explains the check of devices, and is not hidden by it. And a
    module whose own `to` returns nothing is wrong."""
    own_to = "    def to(self, device):\n        super().to(device)\n\n"
    both = graded(ready, (SCALE, "torch.arange(0, 2)"), (FORWARD, own_to + FORWARD))
    (waves,) = (e for e in both.exercises if e.id == "waves")
    assert {mistake_of(check) for check in waves.checks} == {"from_zero"}
    assert device_check(both, "waves").message.startswith("2 of 2 calls are wrong.")
    assert device_check(both, "Layer").status is Status.RAISED
    assert "`to` returns NoneType, not the module" in device_check(both, "Layer").message


def test_what_cannot_be_simulated_is_left_to_a_person_and_costs_no_other_check(
    ready: PreparedClass,
) -> None:
    """A call that hangs on the accelerator alone, and an operation that is not simulated."""
    endless = (SINE, f"    while ids.is_cuda:\n        pass\n{SINE}")
    graph = (ROWS, f"        if ids.is_cuda:\n            torch.cuda.CUDAGraph()\n{ROWS}")
    grade = graded(ready, endless, graph)
    assert open_in(grade) == {"waves/devices", "Layer/devices"}
    hung = result_of(device_check(grade, "waves"), *SIMULATED)
    assert hung.startswith("not simulated: it used more than 1 seconds")
    assert result_of(device_check(grade, "Layer"), *SIMULATED).startswith("not simulated: ")


FAULTS = "from autograder.runner.simulated_device import faults, unsupported"
NO_LU = "\"lu_cpu\" not implemented for 'Half'"
LINES = (SINE, ROWS, MOVED)
FORGERIES = submissions(
    {line: dict(list(EVERY["forged"].items())[number::3]) for number, line in enumerate(LINES)}
)


SIMULATED_ALONE = [
    pytest.param(forgeries, True, id=f"simulated: {names}")
    for names, forgeries in FORGERIES.items()
]
EVERYWHERE = [
    pytest.param(
        forgeries, False, id=f"ordinary: {names}", marks=pytest.mark.slow if number else ()
    )
    for number, (names, forgeries) in enumerate(FORGERIES.items())
]


@pytest.mark.parametrize(("forgeries", "on_device"), SIMULATED_ALONE + EVERYWHERE)
def test_a_forged_claim_is_an_error(
    ready: PreparedClass, forgeries: list[str], on_device: bool
) -> None:
    """In a simulated call alone, and in ordinary calls too; one in each exercise."""
    changes = []
    for line, forgery in zip(LINES, forgeries, strict=False):
        where = "ids.to(device).is_cuda" if line == MOVED else "ids.is_cuda"
        condition = f"if {where} or {not on_device}:"
        indent = line[: line.index("return")]
        raised = "".join(
            f"{indent}{part}\n" for part in (condition, f"    {FAULTS}", f"    {forgery}")
        )
        changes.append((line, raised + line))
    grade = graded(ready, *changes)
    forged = {"waves", "Layer", "move"} if len(forgeries) == 3 else {"waves", "Layer"}
    checks = {f"{e.id}/{c.id}": c for e in grade.exercises for c in e.checks if e.id in forged}
    wrong = {name for name in checks if not on_device or name.endswith("devices")}
    assert set(lost(grade)) == wrong
    assert all(checks[name].status is Status.RAISED and checks[name].score == 0 for name in wrong)


def test_a_forged_outcome_of_an_ordinary_call_is_an_error() -> None:
    """A hand-in may claim of any call that it is not supported."""
    probe = Probe("a", "waves", Call("waves", "waves", ()))
    claim = Outcome("unsupported", error=Error(("RuntimeError",), "TorchScript"))
    measured = Measured(0.0, 0.0, 0.0, 1, "strong", ())
    run = Run((), (ProbeRun("a", claim, None, TimeSpent(0.0, 0.0)),), measured)
    found = returned(run, probe)
    assert isinstance(found, Finding) and found.status is Status.RAISED


@pytest.mark.slow
def test_simulated_calls_have_a_share_of_the_run_and_no_more(
    course_box: LazyBox, tmp_path: Path
) -> None:
    """What they take together must not keep an ordinary call from being made."""
    limits = ("cell_cpu_s = 2\n", "cell_cpu_s = 2\nsubmission_wall_s = 10\n")
    prepared = prepared_course(DEVICES, course_box, tmp_path, assignment=limits)
    endless = "    while ids.is_cuda:\n        pass\n"
    grade = graded(
        prepared,
        (SINE, endless + SINE),
        (ROWS, f"        while ids.is_cuda:\n            pass\n{ROWS}"),
        (MOVED, f"    ids = ids.to(device)\n{endless}    return model.to(device)(ids)"),
    )
    assert open_in(grade) == {"waves/devices", "Layer/devices", "move/devices"}
    notes = [ran.note for e in grade.exercises for c in e.checks for ran in c.devices if ran.note]
    assert any("used up their share of the run" in note for note in notes)


def test_what_a_simulated_call_leaves_open_reaches_no_other_one(ready: PreparedClass) -> None:
    opened = (
        "    t = torch.autocast(ids.device.type, dtype=torch.bfloat16)\n"
        "    if ids.is_cuda:\n        t.__enter__()\n"
        "    one = torch.eye(2, device=ids.device)\n"
        "    one = one @ torch.full((2, 2), 1.001, device=ids.device)\n"
        "    if not ids.is_cuda and one.dtype != torch.float32:\n        return ids\n"
    )
    grade = graded(ready, (SINE, opened + SINE))
    assert "waves/numbers" not in lost(grade)


def test_an_exception_that_is_caught_and_raised_again_stays_one(ready: PreparedClass) -> None:
    again = {"waves": "e.met = 5\n        raise", "Layer": "raise type(e)(f'here: {e}') from e"}
    caught = (
        f"    try:\n    {SINE}\n    except RuntimeError as e:\n        {again['waves']}",
        f"        try:\n    {ROWS} torch.ones(1) *\\\n            self.added[: ids.shape[1]]\n"
        f"        except RuntimeError as e:\n            {again['Layer']}",
    )
    rows = f"{ROWS} self.added[: ids.shape[1]]"
    grade = graded(ready, (SCALE, "torch.arange(1, 3)"), (SINE, caught[0]), (rows, caught[1]))
    for exercise in again:
        check = device_check(grade, exercise)
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
    course_box: LazyBox, tmp_path: Path
) -> None:
    """There every table is there twice, and the notebook's own one is no culprit."""
    limits = ("cell_cpu_s = 2\n", "cell_cpu_s = 2\nmemory_mb = 400\n")
    prepared = prepared_course(DEVICES, course_box, tmp_path, assignment=limits)
    grade = graded(
        prepared,
        ("import torch\n", "import torch\nBIG = torch.ones(70_000_000)\n"),
        (SINE, f"    if BIG[0] and ids.is_cuda:\n        raise MemoryError\n{SINE}"),
    )
    assert open_in(grade) == {"waves/devices"}
    said = result_of(device_check(grade, "waves"), *SIMULATED)
    assert said == "not simulated: there is not enough memory for a second copy"
