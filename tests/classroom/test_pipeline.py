"""What a hand-in may do without changing anything but its own result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as replace_fields

from autograder.assignment.load import Loaded
from autograder.classroom import reference as class_reference
from autograder.classroom.reference import steady
from autograder.evidence.records import ProbeRun, Run, TimeSpent
from autograder.execution.engines.local import Local
from autograder.gradebook.grade import Grade
from autograder.grading.context import GradedSubmission, GradingContext, PreparedClass
from autograder.grading.job import make_job, plan
from autograder.judging.checks.registry import probes
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.release import template_bytes
from autograder.pipeline import grade_class
from autograder.wire.messages import Call, Job, Outcome, encode
from tests.support.selection import rarely


class OneFile:
    """A hand-in that is at hand already."""

    def __init__(self, submission: Submission) -> None:
        self.student = self.name = "student-01"
        self._submission = submission

    def read(self) -> Submission:
        return self._submission


@pytest.fixture(scope="module")
def grade_cells(prepared: PreparedClass) -> Callable[[Submission], GradedSubmission]:
    """Grade one submission through the ordinary pipeline."""

    def work(submission: Submission) -> GradedSubmission:
        files = [OneFile(submission)]
        return next(grade_class(prepared, files, Local(1), lambda handed, graded: None))

    return work


@pytest.fixture(scope="module")
def solution(flagship: Loaded) -> Submission:
    return read(flagship.solution)


def with_cell(submission: Submission, source: str, *, at: int = 0) -> Submission:
    """The submission with one more code cell before cell ``at`` (0: at the end)."""
    numbers = [c.number for c in submission.cells]
    index = numbers.index(at) if at else len(numbers)
    cells = list(submission.cells)
    cells.insert(index, NotebookCell(0, "code", source))
    renumbered = tuple(msgspec.structs.replace(c, number=i) for i, c in enumerate(cells, 1))
    return msgspec.structs.replace(submission, cells=renumbered)


def statuses(grade: Grade) -> dict[str, str]:
    return {f"{e.id}/{c.id}": c.status.value for e in grade.exercises for c in e.checks}


def first_code(submission: Submission) -> int:
    """The number of the second code cell: after the imports, before every exercise."""
    return [c.number for c in submission.cells if c.kind == "code"][1]


UNRELATED = {
    "raises": "1 / 0",
    "does not parse": "def broken(:",
    "warns": "import warnings; warnings.warn('careful'); import sys; print('x', file=sys.stderr)",
    "prints a million lines": "for line in range(1_000_000): print(line)",
    "loops for ever": "while True: pass",
    "sleeps for ever": "import time; time.sleep(10_000)",
    "ignores interrupts": (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    ),
    "leaves at once": "import os; os._exit(0)",
    "leaves politely": "import sys; sys.exit(3)",
    "crashes": "import ctypes; ctypes.string_at(0)",
    "takes all memory": "hoard = []\nwhile True: hoard.append(bytearray(10_000_000))",
    **{
        f"leaves hardly {piece} bytes": (
            f"hoard = []\ntry:\n    while True: hoard.append(bytearray({piece}))\n"
            "except MemoryError: pass"
        )
        for piece in (10**7, 10**5)
    },
    "asks a question": "name = input('Who are you? ')",
    "starts a command": "!rm -rf /",
    "asks for many threads": "import torch; torch.set_num_threads(64); torch.ones(999, 999).sum()",
    "uses a magic": "%matplotlib inline\n%pip install torch\n%unknown_magic",
}


@pytest.fixture(scope="module")
def quick(prepared: PreparedClass) -> PreparedClass:
    """The same setting with short limits, so that endless loops end soon."""
    loaded = prepared.context.loaded
    limits = loaded.spec.limits.model_copy(update={"cell_cpu_s": 2.0, "cell_wall_s": 4.0})
    spec = loaded.spec.model_copy(update={"limits": limits})
    context = replace(prepared.context, loaded=replace(loaded, spec=spec))
    return replace(prepared, context=context)


@pytest.mark.parametrize(
    ("what", "where"),
    rarely(product(UNRELATED, ["before everything", "at the end"]), keep=5),
)
def test_an_unrelated_cell_costs_nothing_elsewhere(
    quick: PreparedClass, solution: Submission, what: str, where: str
) -> None:
    at = first_code(solution) if where == "before everything" else 0
    changed = with_cell(solution, UNRELATED[what], at=at)
    graded = next(
        grade_class(
            PreparedClass(quick.context, quick.expected),
            [OneFile(changed)],
            Local(1),
            lambda h, g: None,
        )
    )
    wrong = {k: s for k, s in statuses(graded.grade).items() if s not in ("passed", "manual")}
    assert wrong == {}


OVERRIDES = {
    "allclose": "import torch; torch.allclose = torch.isclose = torch.equal = lambda *a, **k: True",
    "testing": "import torch; torch.testing.assert_close = lambda *a, **k: None",
    "tensor equality": "import torch; torch.Tensor.__eq__ = lambda self, other: True",
    "tensor comparison": "import torch; torch.Tensor.__sub__ = lambda self, o: torch.zeros(1)",
    "embedding forward": (
        "import torch; torch.nn.Embedding.forward = lambda self, ids: self.weight[ids] * 0"
    ),
    "seeds": "import torch; torch.manual_seed = lambda s: None; torch.seed = lambda: 0",
    "default dtype": "import torch; torch.set_default_dtype(torch.float64)",
    "default device": "import torch; torch.set_default_device('meta')",
    "no gradients": "import torch; torch.set_grad_enabled(False)",
    "numpy": "import numpy; numpy.allclose = numpy.array_equal = lambda *a, **k: True",
    "builtins": "import builtins; builtins.abs = builtins.max = builtins.all = lambda *a, **k: 0",
    "stdout": "import sys; sys.stdout = None; sys.stderr = None",
    "warnings": "import warnings; warnings.simplefilter('error')",
    "the runner": (
        "import autograder.runner.calls as c, autograder.wire.tensors as t\n"
        "c.call = lambda *a: None; t.to_wire = lambda *a: 0"
    ),
}


@pytest.mark.parametrize("what", OVERRIDES)
def test_an_override_earns_nothing(
    grade_cells: Callable[[Submission], GradedSubmission],
    flagship: Loaded,
    what: str,
    tmp_path: Path,
) -> None:
    """On the blank template: whatever is patched, no point appears."""
    path = tmp_path / "blank.ipynb"
    path.write_bytes(template_bytes(flagship.solution, flagship.spec))
    changed = with_cell(read(path), OVERRIDES[what], at=1)
    assert grade_cells(changed).grade.score == 0


# these change values that the notebook itself makes; the rest may change nothing at all
OWN_VALUES = {"tensor equality", "tensor comparison", "embedding forward", "builtins", "the runner"}


@pytest.mark.parametrize("what", sorted(set(OVERRIDES) - OWN_VALUES))
def test_an_override_after_correct_work_changes_no_verdict(
    grade_cells: Callable[[Submission], GradedSubmission], solution: Submission, what: str
) -> None:
    changed = with_cell(solution, OVERRIDES[what])
    wrong = {
        k: s
        for k, s in statuses(grade_cells(changed).grade).items()
        if s not in ("passed", "manual")
    }
    assert wrong == {}


def test_the_blank_template_scores_nothing_on_every_graded_exercise(
    grade_cells: Callable[[Submission], GradedSubmission], flagship: Loaded, tmp_path: Path
) -> None:
    path = tmp_path / "blank.ipynb"
    path.write_bytes(template_bytes(flagship.solution, flagship.spec))
    grade = grade_cells(read(path)).grade
    assert grade.status == "graded" and grade.score == 0
    automatic = [e for e in grade.exercises if e.max_score]
    assert {e.score for e in automatic} == {0}
    assert not any(c.status is Status.PASSED for e in grade.exercises for c in e.checks)


def test_a_name_that_is_used_again_later_does_no_harm(
    grade_cells: Callable[[Submission], GradedSubmission], solution: Submission
) -> None:
    later = "one_hot = via_call = pe = token_ids = big_params = 'overwritten'\n"
    later += "def sinusoidal_positional_encoding(*a): return None\n"
    grade = grade_cells(with_cell(solution, later)).grade
    assert grade.score == grade.max_score + grade.bonus_max


def test_public_questions_come_before_hidden_ones(prepared: PreparedClass) -> None:
    """What a student's code says after it met a hidden input is never quoted to the student."""
    public: set[str] = set()
    context = prepared.context
    for exercise in context.loaded.spec.exercise:
        for check in exercise.check:
            if check.public:
                public |= {p.id for p in probes(check, exercise.id, context.cases)}
    calls = [p.id in public for p in plan(context) if isinstance(p.request, Call)]
    assert calls == sorted(calls, reverse=True) and any(calls) and not all(calls)


def test_no_answer_is_in_a_job(prepared: PreparedClass, solution: Submission) -> None:
    job, _ = make_job(prepared.context, msgspec.structs.replace(solution, cells=()))
    text = encode(job)
    for secret in (b"tolerance", b"atol", b"points", b"hint", b"38400000"):
        assert secret not in text


def test_a_fault_of_ours_ends_no_batch_and_costs_nobody(
    prepared: PreparedClass, solution: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def finish(handed: object, graded: GradedSubmission) -> None:
        seen.append(graded.grade.status)
        if len(seen) == 1:
            raise ZeroDivisionError("in our own report")

    files = [OneFile(solution), OneFile(solution)]
    graded = list(
        grade_class(PreparedClass(prepared.context, prepared.expected), files, Local(1), finish)
    )
    assert [g.grade.status for g in graded] == ["ungraded", "graded"]
    assert graded[0].grade.score is None and "in our own report" in graded[0].grade.reason


def test_the_reference_is_timed_by_its_quickest_run(
    prepared: PreparedClass, solution: Submission
) -> None:
    """One slow moment of the reference must not let slow code pass."""
    timed = [p for p in prepared.expected.probes if p.id.endswith("/time")]
    slow = replace_fields(
        prepared.expected,
        probes=tuple(
            replace_fields(p, spent=TimeSpent(99.0, 99.0)) if p in timed else p
            for p in prepared.expected.probes
        ),
    )
    job, _ = make_job(prepared.context, solution)
    steadied = steady(prepared.context, job, slow)
    costs = [p.spent.cpu_s for p in steadied.probes if p.id.endswith("/time")]
    assert timed and all(cost < 9 for cost in costs)
    assert [p.id for p in steadied.probes] == [p.id for p in slow.probes]


def test_the_reference_is_timed_by_calls_that_are_not_the_first(
    prepared: PreparedClass, solution: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first call also loads and allocates."""

    def ran(context: GradingContext, job: Job) -> tuple[Run, bool]:
        spent = (TimeSpent(5.0 - number, 5.0) for number in range(len(job.probes)))
        claim = Outcome("returned", 1)
        probes = tuple(
            ProbeRun(p.id, claim, None, s) for p, s in zip(job.probes, spent, strict=True)
        )
        return replace_fields(prepared.expected, probes=probes), True

    monkeypatch.setattr(class_reference, "evidence", ran)
    job, _ = make_job(prepared.context, solution)
    job = replace_fields(job, probes=tuple(p for p in job.probes if p.id.endswith("/time")))
    steadied = steady(prepared.context, job, ran(prepared.context, job)[0])
    assert [p.spent.cpu_s for p in steadied.probes] == [5.0 + 1 - class_reference.TIMED_CALLS]


def test_the_reference_that_hand_ins_meet_is_the_steadied_one(
    prepared: PreparedClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Asked(Exception):
        pass

    def told(*args: object) -> None:
        raise Asked

    monkeypatch.setattr(class_reference, "steady", told)
    with pytest.raises(Asked):
        class_reference.prepare_reference(prepared.context, Local(1), lambda what, total: None)
