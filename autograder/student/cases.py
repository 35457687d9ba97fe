"""One exercise's checks as test cases of another tool: a case passes if its check passes.

Results that a grading run left next to the notebook are used if there are any; otherwise the names
that the tool passes in are checked, as in a student's own notebook.

Covered: values, calls, stand-ins, simulated accelerators, relations, CPU time, checks that need
another check. Not covered: code in the same process that tampers with the checks; figures and
output of cells that ran before ``listen``; names are checked as they are when the test runs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from IPython.core.getipython import get_ipython

from autograder.assignment.model import Assignment
from autograder.errors import StoreError
from autograder.evidence.records import ProbeRun, Run, TimeSpent
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.judging.checks.registry import probes as probes_of
from autograder.judging.judge import judge
from autograder.judging.verdict import Status, Verdict
from autograder.student.check_results import CheckResult, CheckResults, said_of
from autograder.student.errors import GraderError
from autograder.student.grader import Grader
from autograder.student.live import as_run
from autograder.student.public_evidence import PublicEvidence
from autograder.student.session_output import shown_in
from autograder.student.verdicts import LATER, expected, reference_of
from autograder.wire.messages import Call, Probe
from autograder.wire.types import resolved

CHECKS = "autograder-checks.agw"  # every check, for machines that students cannot access
SAID = "autograder-said.json"  # the results of a grading run


class CheckFailed(AssertionError):
    """A check did not pass; the message says why."""


class EveryCheck(PublicEvidence, frozen=True, omit_defaults=True):
    """An assignment with all its checks, and the reference's answers to all their questions.

    ``seed``: of the inputs. ``spent``: the reference's cost by probe id, where it is asked.
    ``packages``: what the exercises need, unknown in a file of public checks. ``files``: what is
    beside the notebook while it runs.
    """

    seed: int = 0
    spent: Mapping[str, TimeSpent] = msgspec.field(default_factory=dict)
    packages: tuple[str, ...] = ()
    files: Mapping[str, bytes] = msgspec.field(default_factory=dict)

    def whole(self) -> Assignment:
        """The assignment with every exercise. Raises ``StoreError`` for a file without one."""
        spec = self.spec([exercise.id for exercise in self.exercises])
        if spec is None:
            raise StoreError(f"{CHECKS}: it contains no checks; export the assignment again")
        return spec

    def expected(self) -> Run:
        """The reference's answers as a run."""
        return expected(self, self.spent)


def read_checks(path: Path) -> EveryCheck:
    """The checks in a file, all or the public ones. Raises ``StoreError`` naming the file."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=resolved(EveryCheck))
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError) as bad:
        raise StoreError(
            f"{path}: not a file of checks ({bad}); export the assignment again"
        ) from None


def listen() -> None:
    """Record what the cells of this notebook display and print from now on."""
    shell = get_ipython()
    if shell is not None:
        shown_in(shell).listens = True


class Cases:
    """The checks of one exercise. ``folder``: where the files are; the working directory if absent.

    Consecutive checks of the same names evaluate them only once.
    """

    def __init__(self, assignment: str, exercise: str, *, folder: str | Path = ".") -> None:
        self._assignment, self._exercise, self._folder = assignment, exercise, Path(folder)
        self._state: tuple[object, ...] = ()
        self._said: dict[str, CheckResult] = {}

    def passes(self, check: str, names: dict[str, Any]) -> None:
        """Return if the check passes, else raise ``CheckFailed``; raises ``GraderError``,
        ``StoreError``."""
        state = tuple((name, id(value)) for name, value in list(names.items()))
        if state != self._state or not self._said:
            self._said, self._state = (
                {result.check: result for result in self._results(names)},
                state,
            )
        found = self._said.get(check)
        if found is None:
            raise GraderError(f"{self._exercise}/{check}: this check is unknown here")
        if not found.passed:
            raise CheckFailed(found.text or "It did not pass.")

    def _results(self, names: dict[str, Any]) -> Iterable[CheckResult]:
        checks, left = self._folder / CHECKS, self._folder / SAID
        # Results that a hand-in brings are not believed.
        if left.is_file() and not checks.is_file():
            return _left(left, self._exercise)
        given = checks if checks.is_file() else None
        return _Live(self._assignment, given, names).results(self._exercise)


def _left(path: Path, exercise: str) -> list[CheckResult]:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=resolved(CheckResults))
    except (OSError, msgspec.MsgspecError) as bad:
        raise StoreError(f"{path}: not a results file ({bad}); grade again") from None
    return [check for check in found.checks if check.exercise == exercise]


class _Live(Grader):
    """Asks live names as a ``Grader`` does, including what something costs."""

    def __init__(self, assignment: str, given: Path | None, names: dict[str, Any]) -> None:
        super().__init__(assignment, public=given, namespace=names)
        if given is not None:
            self._every = read_checks(given)
        else:
            self._every = EveryCheck(**msgspec.structs.asdict(self._public))

    def results(self, exercise: str) -> Iterable[CheckResult]:
        """The results of an exercise's checks."""
        spec = self._every.spec([exercise])
        if spec is None:
            raise GraderError(f"{exercise}: there are no checks of this exercise here")
        with self._shown.apart():
            asked = self._asked(self._every, [exercise])
            timed = [record for probe in _timed(spec, self._every) for record in self._cost(probe)]
        run = as_run([*asked.run.probes, *timed], self._limits)
        every = self._every
        found = judge(spec, run, reference_of(every, self._relations, every.spent))
        told = [_told(verdict, asked.ended) for verdict in found]
        return said_of(points(spec, SubmittedFile("", ""), told, None, student=""), spec)

    def _cost(self, probe: Probe) -> tuple[ProbeRun, ...]:
        begun = time.process_time()
        asked = self._ask([probe])
        spent = TimeSpent(time.process_time() - begun, 0.0)
        return tuple(msgspec.structs.replace(record, spent=spent) for record in asked.run.probes)


def _timed(spec: Assignment, every: EveryCheck) -> list[Probe]:
    """The questions about cost, each once."""
    probes = (
        probe
        for exercise in spec.exercise
        for check in exercise.check
        for probe in probes_of(check, exercise.id, every.cases)
    )
    found = {p.id: p for p in probes if isinstance(p.request, Call) and p.request.discard}
    return list(found.values())


def _told(verdict: Verdict, ended: str) -> Verdict:
    """A result that cannot be determined here is nobody's fault, but does not pass either."""
    if verdict.status is not Status.UNGRADED:
        return verdict
    return msgspec.structs.replace(verdict, status=Status.SKIPPED, message=ended or LATER)
