"""What a hand-in may do without changing anything but its own result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_fields

from autograder.assignment.load import Loaded
from autograder.classroom import reference as class_reference
from autograder.classroom.reference import steady
from autograder.classroom.results_folder import KeptSubmission
from autograder.evidence.records import ProbeRun, Run, TimeSpent
from autograder.execution.engines.local import Local
from autograder.gradebook.grade import Grade
from autograder.grading.context import GradedSubmission, GradingContext, PreparedClass
from autograder.grading.job import make_job, plan
from autograder.judging.checks.registry import probes
from autograder.notebook.formats.read import read
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.release import template_bytes
from autograder.pipeline import grade_class, grade_submission
from autograder.wire.messages import Call, Job, Outcome, encode


def handed(submission: Submission) -> KeptSubmission:
    """A hand-in that is at hand already."""
    return KeptSubmission("student-01", "student-01.ipynb", submission)


@pytest.fixture(scope="module")
def solution(flagship: Loaded) -> Submission:
    return read(flagship.solution)


@pytest.fixture(scope="module")
def ready(context: GradingContext) -> PreparedClass:
    """The flagship without known mistakes: what is wrong is not explained here."""
    return class_reference.prepare_reference(
        context, Local(1), lambda what, total: None, mistakes=False
    )


def graded(prepared: PreparedClass, submission: Submission) -> Grade:
    return grade_submission(prepared, handed(submission), 0.0).grade


def with_cells(submission: Submission, *sources: str, at: int = 0) -> Submission:
    """The submission with more code cells before cell ``at`` (0: at the end)."""
    numbers = [c.number for c in submission.cells]
    index = numbers.index(at) if at else len(numbers)
    cells = list(submission.cells)
    cells[index:index] = [NotebookCell(0, "code", source) for source in sources]
    renumbered = tuple(replace_fields(c, number=i) for i, c in enumerate(cells, 1))
    return replace_fields(submission, cells=renumbered)


def statuses(grade: Grade) -> dict[str, str]:
    return {f"{e.id}/{c.id}": c.status.value for e in grade.exercises for c in e.checks}


def lost(grade: Grade) -> dict[str, str]:
    """The checks that the solution passes, but not this submission."""
    return {k: s for k, s in statuses(grade).items() if s not in ("passed", "manual")}


def first_code(submission: Submission) -> int:
    """The number of the second code cell: after the imports, before every exercise."""
    return [c.number for c in submission.cells if c.kind == "code"][1]


UNRELATED = (  # what ends a process or takes long is tried in tests/grading/test_reordered_run.py
    "1 / 0",
    "def broken(:",
    "import warnings; warnings.warn('careful'); import sys; print('x', file=sys.stderr)",
    "for line in range(1_000_000): print(line)",
    "name = input('Who are you? ')",
    "!rm -rf /",
    "import torch; torch.set_num_threads(64); torch.ones(999, 999).sum()",
    "%matplotlib inline\n%pip install torch\n%unknown_magic",
    "import os; os._exit(0)",
)


@pytest.mark.slow
@pytest.mark.parametrize("at_the_end", [True, False])
def test_unrelated_cells_cost_nothing_elsewhere(
    ready: PreparedClass, solution: Submission, at_the_end: bool
) -> None:
    at = 0 if at_the_end else first_code(solution)
    assert lost(graded(ready, with_cells(solution, *UNRELATED, at=at))) == {}


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


# these change values that the notebook itself makes; the rest may change nothing at all
OWN_VALUES = {"tensor equality", "tensor comparison", "embedding forward", "builtins", "the runner"}
OTHERS = [what for what in OVERRIDES if what not in OWN_VALUES]


@pytest.mark.parametrize(
    "what",
    [
        (),
        OTHERS,
        sorted(OWN_VALUES),
        *(pytest.param([what], marks=pytest.mark.slow) for what in OVERRIDES),
    ],
)
def test_a_blank_template_earns_nothing_whatever_is_overridden(
    ready: PreparedClass, flagship: Loaded, what: Sequence[str], tmp_path: Path
) -> None:
    path = tmp_path / "blank.ipynb"
    path.write_bytes(template_bytes(flagship.solution, flagship.spec))
    grade = graded(ready, with_cells(read(path), *(OVERRIDES[one] for one in what), at=1))
    assert (grade.status, grade.score) == ("graded", 0)
    assert {exercise.score for exercise in grade.exercises if exercise.max_score} == {0}
    assert "passed" not in statuses(grade).values()


@pytest.mark.slow
def test_overrides_after_correct_work_change_no_verdict(
    ready: PreparedClass, solution: Submission
) -> None:
    others = (OVERRIDES[what] for what in OTHERS)
    assert lost(graded(ready, with_cells(solution, *others))) == {}


def test_a_name_that_is_used_again_later_does_no_harm(
    ready: PreparedClass, solution: Submission
) -> None:
    later = "one_hot = via_call = pe = token_ids = big_params = 'overwritten'\n"
    later += "def sinusoidal_positional_encoding(*a): return None\n"
    grade = graded(ready, with_cells(solution, later))
    assert grade.score == grade.max_score + grade.bonus_max


def test_public_questions_come_before_hidden_ones(ready: PreparedClass) -> None:
    """What a student's code says after it met a hidden input is never quoted to the student."""
    public: set[str] = set()
    context = ready.context
    for exercise in context.loaded.spec.exercise:
        for check in exercise.check:
            if check.public:
                public |= {p.id for p in probes(check, exercise.id, context.cases)}
    calls = [p.id in public for p in plan(context) if isinstance(p.request, Call)]
    assert calls == sorted(calls, reverse=True) and any(calls) and not all(calls)


def test_no_answer_is_in_a_job(ready: PreparedClass, solution: Submission) -> None:
    job, _ = make_job(ready.context, replace_fields(solution, cells=()))
    text = encode(job)
    for secret in (b"tolerance", b"atol", b"points", b"hint", b"38400000"):
        assert secret not in text


def test_a_fault_in_our_report_ends_no_batch_and_costs_nobody(
    ready: PreparedClass, solution: Submission
) -> None:
    seen: list[str] = []

    def finish(source: object, graded: GradedSubmission) -> None:
        seen.append(graded.grade.status)
        if len(seen) == 1:
            raise ZeroDivisionError("in our own report")

    found = list(grade_class(ready, [handed(solution)] * 2, Local(1), finish))
    assert [g.grade.status for g in found] == ["ungraded", "graded"]
    assert found[0].grade.score is None and "in our own report" in found[0].grade.reason


def test_the_reference_is_timed_by_its_quickest_run(
    ready: PreparedClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One slow moment of the reference must not let slow code pass."""
    every = ready.expected.probes
    timed = [p.id for p in every if p.id.endswith("/time")]
    slow = [replace_fields(p, spent=TimeSpent(99, 99)) if p.id in timed else p for p in every]
    made = replace_fields(ready.expected, probes=tuple(slow))
    monkeypatch.setattr(class_reference, "run_solution", lambda *_: made)
    steadied = class_reference.prepare_reference(
        ready.context, Local(1), lambda what, total: None, mistakes=False
    ).expected
    costs = [p.spent.cpu_s for p in steadied.probes if p.id in timed]
    assert costs and all(cost < 9 for cost in costs)
    assert [p.id for p in steadied.probes] == [p.id for p in every]


def test_the_reference_is_timed_by_calls_that_are_not_the_first(
    ready: PreparedClass, solution: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first call also loads and allocates."""

    def ran(context: GradingContext, job: Job) -> tuple[Run, bool]:
        spent = (TimeSpent(5.0 - number, 5.0) for number in range(len(job.probes)))
        claim = Outcome("returned", 1)
        probes = tuple(
            ProbeRun(p.id, claim, None, s) for p, s in zip(job.probes, spent, strict=True)
        )
        return replace_fields(ready.expected, probes=probes), True

    monkeypatch.setattr(class_reference, "evidence", ran)
    job, _ = make_job(ready.context, solution)
    job = replace_fields(job, probes=tuple(p for p in job.probes if p.id.endswith("/time")))
    steadied = steady(ready.context, job, ran(ready.context, job)[0])
    assert [p.spent.cpu_s for p in steadied.probes] == [5.0 + 1 - class_reference.TIMED_CALLS]
