"""Training is judged step by step: what the first runs settle is not asked for again, what they
leave open is asked for by a further run, and is never taken for wrong."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from autograder.assignment.kinds import TrainingCheck
from autograder.assignment.model import Assignment
from autograder.authoring.validation.chance import at_most, foreseen
from autograder.classroom import boxes
from autograder.evidence.records import Measured, ProbeRun, Run, TimeSpent
from autograder.grading.partial_grade import reached
from autograder.grading.watched_run import WatchedBox
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import every_probe, examine, further, probes
from autograder.judging.checks.training import settled
from autograder.judging.verdict import Status
from autograder.sandbox.box import Box
from autograder.student.live import LiveAnswers
from autograder.student.public_evidence import FORMAT, LaterChecks, PublicEvidence, PublicExercise
from autograder.student.verdicts import answers
from autograder.wire.messages import Error, Job, Limits, Outcome, Probe
from autograder.wire.values import Value
from tests.support.in_process import Lent, command
from tests.support.tables import table_beside
from tests.support.tiny_course import edit, scores

CHECK = TrainingCheck(
    id="learns",
    kind="training",
    title="it learns",
    points=1,
    public=True,
    call="train",
    inputs="seeds",
    statistic="end",
    below=0.5,
    passing=4,
    first=3,
    false_alarm=0.01,
    miss=0.01,
)
CASES: dict[str, tuple[tuple[Value, ...], ...]] = {"seeds": tuple((s,) for s in range(5))}
RELATIONS = {"end": lambda call: 1 / 0 if call.number() == 9 else call.number()}
EVERY = every_probe(CHECK, "train", CASES)
End = float | str | None
GOOD: End = 0.0
BAD: End = 1.0
RAISED: End = "raised"
OUR_FAULT: End = 9.0


def run_of(ends: Sequence[End]) -> Run:
    """A run of as many trainings; None for one of which there is no record."""
    made = (
        ProbeRun(probe.id, outcome_of(end), None, TimeSpent(0.0, 0.0))
        for probe, end in zip(EVERY, ends, strict=False)
        if end is not None
    )
    return Run((), tuple(made), Measured(0.0, 0.0, 0.0, 1, "none", ()))


def outcome_of(end: End) -> Outcome:
    if end == RAISED:
        return Outcome("raised", error=Error(("ValueError", "Exception"), "no"))
    return Outcome("returned", end)


def found(ends: Sequence[End], check: TrainingCheck = CHECK) -> Finding:
    return examine(check, "train", run_of(ends), Reference(run_of([GOOD] * 3), CASES, RELATIONS))


def more(ends: Sequence[End]) -> tuple[Probe, ...]:
    return further(CHECK, "train", run_of(ends), CASES, RELATIONS)


def test_the_first_runs_settle_it_and_only_what_they_leave_open_is_asked_for() -> None:
    assert [p.id for p in EVERY[:3]] == [p.id for p in probes(CHECK, "train", CASES)]
    for first in itertools.product((GOOD, BAD, RAISED), repeat=3):
        good = first.count(GOOD)
        asked = more(first)
        assert [p.id for p in asked] == ([p.id for p in EVERY[3:]] if good == 2 else []), first
        expected = {3: Status.PASSED, 2: Status.UNGRADED}.get(good)
        finding = found(first)
        assert expected is None or finding.status is expected, first
        assert good > 1 or finding.status in (Status.FAILED, Status.RAISED), first
        for rest in itertools.product((GOOD, BAD), repeat=2):
            whole = found((*first, *rest))
            assert [p.id for p in more((*first, *rest))] == [p.id for p in asked]
            if good == 2:
                right = good + rest.count(GOOD) >= 4
                assert whole.status is (Status.PASSED if right else Status.FAILED)
            else:
                assert whole == finding  # what was not needed changes nothing
    assert (
        "0 of 3 runs with different seeds; it has to succeed in at least 4 of 5"
        in found([BAD] * 3).message
    )


@pytest.mark.parametrize("lost", [None, OUR_FAULT])
def test_what_our_side_lost_costs_nothing_where_it_could_decide(lost: End) -> None:
    assert found([lost, BAD, BAD, GOOD, GOOD]).status is Status.FAILED
    assert found([lost, GOOD, GOOD, GOOD, GOOD]).status is Status.PASSED
    for ends in (
        [lost, GOOD, GOOD, GOOD, BAD],
        [lost] * 5,
        [GOOD, BAD, GOOD, lost, GOOD],
        [GOOD, RAISED, GOOD, lost, GOOD],
    ):
        assert found(ends).status is Status.UNGRADED, ends
    assert more([lost, lost, lost]) == ()


def test_the_plan_is_foreseen_exactly() -> None:
    """Against every sequence of good and bad runs; stopping early never makes right code fail
    more often than all runs would."""
    for runs, first, share in itertools.product(range(1, 6), range(1, 6), (0.0, 0.1, 0.5, 0.97)):
        for passing in range(1, runs + 1):
            passes = trainings = whole = 0.0
            for ends in itertools.product((True, False), repeat=runs):
                chance = share ** sum(ends) * (1 - share) ** (runs - sum(ends))
                asked = min(first, runs)
                now = settled(sum(ends[:asked]), asked, runs=runs, passing=passing)
                enough = sum(ends) >= passing
                passes += chance * (enough if now is None else now)
                trainings += chance * (runs if now is None else asked)
                whole += chance * enough
                assert now is not False or not enough
            plan = foreseen(share, first=first, runs=runs, passing=passing)
            assert plan == pytest.approx((passes, trainings))
            assert plan.passes >= whole - 1e-12
            assert first < passing or plan.passes == pytest.approx(whole)
    usual = foreseen(1 - at_most(0, 100), first=3, runs=5, passing=4)
    assert 1 - usual.passes < 0.0076 and usual.trainings < 3.2


def test_a_session_is_asked_once_more_where_it_is_open() -> None:
    plain = CHECK.model_dump(mode="json", exclude_defaults=True)
    exercise = PublicExercise("train", "Train", ("train",), False, (plain,), LaterChecks())
    public = PublicEvidence(
        FORMAT,
        "trained",
        "Training",
        "",
        {},
        (exercise,),
        "",
        (),
        CASES,
        {},
        order="either",
        torch=True,
    )

    def asked(ends: Sequence[End]) -> list[int]:
        times, whole = list[int](), run_of(ends)

        def ask(wanted: tuple[Probe, ...]) -> LiveAnswers:
            times.append(len(wanted))
            ids = {probe.id for probe in wanted}
            own = tuple(record for record in whole.probes if record.id in ids)
            return LiveAnswers(msgspec.structs.replace(whole, probes=own))

        assert len(answers(public, RELATIONS, ["train"], ask).run.probes) == sum(times)
        return times

    assert asked([GOOD] * 5) == [3]
    assert asked([BAD, GOOD, GOOD, GOOD, GOOD]) == [3, 2]


def test_what_is_open_is_not_reached_yet() -> None:
    spec = Assignment.model_validate(
        {
            "format": 1,
            "id": "trained",
            "title": "Training",
            "exercise": [
                {
                    "id": "train",
                    "title": "Train",
                    "defines": ["train"],
                    "check": [CHECK.model_dump()],
                }
            ],
        }
    )
    job = Job((), (), probes(CHECK, "train", CASES), 0, Limits(), False)
    name = ("train", "learns")
    for ends, there in (
        ([GOOD, GOOD], False),
        ([GOOD] * 3, True),
        ([GOOD, BAD, GOOD], False),
        ([GOOD, BAD, GOOD, GOOD, GOOD], True),
    ):
        assert (name in reached(spec, CASES, RELATIONS, job, run_of(ends))) is there, ends


def test_a_further_job_is_not_looked_at_while_it_runs() -> None:
    """It holds nothing of the other checks, which would look as if they had no answer."""
    looked: list[bool] = []

    class Boxed:
        def run(self, job: Job, watch: object = None) -> Run:
            looked.append(watch is not None)
            return run_of([])

    boxed: Any = Boxed()
    nothing: Any = None
    drawing: Any = SimpleNamespace(draw=True)
    for draws, seen in (((True, True), [True, False]), ((False, True), [False, False])):
        runner = WatchedBox(boxed, drawing, nothing, lambda: 60.0, tell=lambda verdicts, run: None)
        looked.clear()
        for draw in draws:
            runner.run(Job((), (), (), 0, Limits(), draw))
        assert looked == seen


# ---------------------------------------------------------------- a class

TOML, SOLUTION, STUDENTS = table_beside(__file__).values()


@pytest.fixture
def course(plain_box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(boxes, "Box", lambda **options: Lent(plain_box))
    folder = tmp_path / "assignments" / "trained"
    folder.mkdir(parents=True)
    (tmp_path / "class").mkdir()
    for name, text in {
        "assignment.toml": TOML,
        "solution.py": SOLUTION,
        "inputs.py": "def seeds(rng):\n    return [(seed,) for seed in range(5)]\n",
        "checks.py": "def end(call):\n    return call.number()\n",
    }.items():
        (folder / name).write_text(text)
    for student, end in STUDENTS.items():
        source = f'# %% exercise="train"\ndef train(seed):\n    return {end}\n'
        (tmp_path / "class" / f"{student}.py").write_text(source)
    yield tmp_path


def test_a_class_is_asked_further_where_it_is_open_and_again_after_a_new_rule(course: Path) -> None:
    folder, out = course / "assignments" / "trained", course / "out"

    def grade() -> None:
        ran = command("grade", folder, course / "class", "--out", out, "--seed", 7)
        assert ran.code == 0, ran.err

    def runs() -> int:
        return len(list((out / "evidence").glob("*/*.evidence")))

    grade()
    earned = {"right": 2, "unlucky": 2, "weak": 2, "wrong": 0}
    assert scores(out) == earned
    # of the solution, of each student, one further; one explains what is wrong
    assert runs() == 1 + len(STUDENTS) + 1 + 1
    edit(folder / "assignment.toml", "below = 0.5", "below = 0.6")
    assert command("regrade", out, "--yes").code == 0
    assert scores(out) == earned and runs() == 7
    edit(folder / "assignment.toml", "below = 0.6", "below = 0.2")
    refused = command("regrade", out, "--yes")
    assert refused.code == 2 and "more runs under its new rule" in " ".join(refused.err.split())
    assert scores(out) == earned
    grade()
    assert scores(out) == earned and runs() == 8
    assert command("regrade", out, "--yes").code == 0
    assert scores(out) == earned
