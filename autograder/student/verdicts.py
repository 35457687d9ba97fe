"""From a student's answers to what the student sees: judged with the grader's own code.

Covered: a verdict here equals that of the grading run, if both exist. What cannot be determined
here, for whatever reason, is "checked when your submission is graded", never the student's fault.
Not covered: a public check that needs a hidden one to pass; inputs of another seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import msgspec

from autograder.assignment.model import Assignment
from autograder.evidence.records import ProbeRun, Run, TimeSpent
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.judging.checks.finding import Reference, Relations
from autograder.judging.checks.registry import further, probes
from autograder.judging.judge import NOWHERE, judge
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.structure.locate import Located
from autograder.reports.feedback.checked import Checked
from autograder.reports.feedback.feedback import ExerciseFeedback, feedback
from autograder.student.live import NOT_MEASURED, LiveAnswers, as_run, can_be_asked
from autograder.student.public_evidence import PublicEvidence, PublicExercise
from autograder.wire.messages import Probe

LATER = "This is checked when your submission is graded."
NOT_REACHED = "This was not reached."
GRADED_ON = "Not tested on a GPU"  # the rest of such a message is about the machine that grades
DEFINE = "Define it in the cell of this exercise, run that cell, and check again."
DRAW = "Run the cell that draws it, and check again."
UNTIMED: Mapping[str, TimeSpent] = MappingProxyType({})
PREDICTED = 'Your prediction is set. `grader.reveal("{0}")` saves it and shows the answer.'


def plan(
    public: PublicEvidence, wanted: Sequence[str], *, simulated: bool = True
) -> tuple[Probe, ...]:
    """The probes for these exercises, each once. ``simulated``: whether a simulated accelerator
    can be used; it cannot next to a real one."""
    spec = public.spec(wanted)
    every = (
        probe
        for exercise in (spec.exercise if spec is not None else ())
        for check in exercise.check
        for probe in probes(check, exercise.id, public.cases)
    )
    chosen = {probe.id: probe for probe in every}
    return tuple(p for p in chosen.values() if can_be_asked(p, simulated=simulated))


def answers(
    public: PublicEvidence,
    relations: Relations,
    wanted: Sequence[str],
    ask: Callable[[tuple[Probe, ...]], LiveAnswers],
    *,
    simulated: bool = True,
) -> LiveAnswers:
    """The answers of ``ask`` about these exercises; it is called again if its first answers
    leave a check open. ``simulated``: see ``plan``."""
    first, spec = ask(plan(public, wanted, simulated=simulated)), public.spec(wanted)
    more = {
        probe.id: probe
        for exercise in (spec.exercise if spec is not None else ())
        for check in exercise.check
        for probe in further(check, exercise.id, first.run, public.cases, relations)
    }
    if not more or first.ended:
        return first
    second = ask(tuple(more.values()))
    probes = (*first.run.probes, *second.run.probes)
    return LiveAnswers(msgspec.structs.replace(first.run, probes=probes), second.ended)


def verdicts(
    public: PublicEvidence,
    relations: Relations,
    wanted: Sequence[str],
    asked: LiveAnswers,
    located: Located | None = None,
) -> tuple[Verdict, ...]:
    """The grader's own verdicts on these exercises. ``located``: where their cells are, if complete
    cells were run instead of only looking up names."""
    spec = public.spec(wanted)
    if spec is None:
        return ()
    return judge(
        spec,
        asked.run,
        reference_of(public, relations),
        NOWHERE if located is None else located,
    )


def checked(
    public: PublicEvidence, wanted: Sequence[str], found: Sequence[Verdict], ended: str = ""
) -> tuple[Checked, ...]:
    """What a student sees of these exercises, in the assignment's order.

    ``ended``: see ``LiveAnswers``.
    """
    spec = public.spec(wanted)
    told = [_told(verdict, ended) for verdict in found]
    by_id = {one.id: one for one in _feedback(spec, told)} if spec is not None else {}
    notes = (ended,) if ended else ()
    chosen = (exercise for exercise in public.exercises if exercise.id in wanted)
    return tuple(_checked(exercise, by_id.get(exercise.id), notes) for exercise in chosen)


def reference_of(
    public: PublicEvidence, relations: Relations, spent: Mapping[str, TimeSpent] = UNTIMED
) -> Reference:
    """What answers are compared with; ``spent``: the times of the solution's, by probe id."""
    return Reference(expected(public, spent), public.cases, relations)


def expected(public: PublicEvidence, spent: Mapping[str, TimeSpent] = UNTIMED) -> Run:
    """The solution's answers as a run; ``spent``: their times by probe id, where known."""
    return as_run(
        [
            ProbeRun(id_, outcome, None, spent.get(id_, NOT_MEASURED))
            for id_, outcome in public.outcomes.items()
        ]
    )


def _told(verdict: Verdict, ended: str) -> Verdict:
    """A verdict with advice for a live session."""
    if verdict.status is Status.UNGRADED:  # what cannot be told here is no fault
        message = NOT_REACHED if ended else LATER
        return msgspec.structs.replace(verdict, status=Status.SKIPPED, earned=0, message=message)
    if verdict.kind == "prediction" and verdict.status is Status.PASSED:
        return msgspec.structs.replace(verdict, message=PREDICTED.format(verdict.exercise))
    more = ""
    if verdict.status is Status.MISSING:
        if verdict.message.endswith("is not defined."):
            more = DEFINE
        elif verdict.kind == "figure" or "figure" in verdict.message:
            more = DRAW
    return msgspec.structs.replace(verdict, message=f"{verdict.message} {more}".rstrip())


def _feedback(spec: Assignment, verdicts: Sequence[Verdict]) -> Iterator[ExerciseFeedback]:
    grade = points(spec, SubmittedFile("", ""), verdicts, None, student="")
    for exercise in feedback(grade, spec).exercises:
        public = tuple(
            msgspec.structs.replace(check, devices=check.devices.partition(GRADED_ON)[0].rstrip())
            for check in exercise.public
        )
        yield msgspec.structs.replace(exercise, public=public)


def _checked(
    exercise: PublicExercise, found: ExerciseFeedback | None, notes: tuple[str, ...]
) -> Checked:
    later = exercise.later
    return Checked(
        id=exercise.id,
        title=exercise.title,
        stretch=exercise.stretch,
        feedback=found,
        hidden=later.checks,
        hidden_points=later.points,
        answers=later.answers,
        answer_points=later.answer_points,
        notes=notes,
    )
