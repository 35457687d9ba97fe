"""Answers that keep results, change arguments, build on wrong parts, or are wrong in other dtypes,
at corners or on the accelerator alone: each mistake costs its own check, and once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from autograder.assignment.load import load
from autograder.assignment.model import Exercise
from autograder.evidence.records import ProbeRun, Stop
from autograder.evidence.stops import TOO_MUCH
from autograder.grading.context import PreparedClass
from autograder.judging.checks.finding import Reference
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.sandbox.account import NOTHING as SPENT
from autograder.sandbox.lazy import LazyBox
from autograder.student.public_evidence import public_bytes as packed
from autograder.student.public_evidence import public_evidence, read_public
from tests.support.changed_solution import Mistake, assert_loses, prepared_course, submissions
from tests.support.courses import ANSWERS
from tests.support.tables import table_beside

LAYERS = '[{ call = "weigh", inputs = "layers" }]'


def mistake(
    changes: Mapping[str, str] = {}, loses: Mapping[str, str] = {}, said: str | None = None
) -> Mistake:
    """One of test_answers.yaml: texts and what stands there instead, what is lost, and the
    explanation."""
    return Mistake(tuple(changes.items()), loses, said)


MISTAKES = {
    exercise: {name: mistake(**row) for name, row in rows.items()}
    for exercise, rows in table_beside(__file__).items()
}
SUBMISSIONS = submissions(MISTAKES)


@pytest.fixture(scope="module")
def ready(course_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    return prepared_course(ANSWERS, course_box, tmp_path_factory.mktemp("course"))


@pytest.mark.slow
@pytest.mark.parametrize("mistakes", SUBMISSIONS.values(), ids=map(str, range(len(SUBMISSIONS))))
def test_each_mistake_costs_its_own_check_and_once(
    ready: PreparedClass, mistakes: list[Mistake]
) -> None:
    assert_loses(ready, mistakes)


def test_an_exercise_may_say_that_calls_depend_on_one_another(ready: PreparedClass) -> None:
    weigh = ready.context.loaded.spec.exercise[0]
    assert [check.id for check in weigh.check if getattr(check, "again", ())] == ["few"]
    plain = {**weigh.model_dump(exclude={"check": {"__all__": {"again"}}}), "stateful": True}
    free = Exercise.model_validate(plain)
    assert not any(getattr(check, "again", ()) for check in free.check)


def test_what_is_asked_of_a_public_check_is_made_of_public_inputs_alone(
    ready: PreparedClass,
) -> None:
    folder = ready.context.loaded.folder
    text = (folder / "assignment.toml").read_text(encoding="utf-8")
    changed = text.replace('title = "few"', 'title = "few"\npublic = true')
    changed = changed.replace('[{ call = "weigh", inputs = "weights" }]', LAYERS)
    (folder / "assignment.toml").write_text(changed, encoding="utf-8")
    (few,) = (c for c in load(folder).spec.exercise[0].check if c.id == "few")
    assert few.again[0].inputs == ("layers",)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("stop", "status"), [(TOO_MUCH, Status.PASSED), (Stop("died", "it ended"), Status.UNGRADED)]
)
def test_a_corner_that_simulated_calls_had_no_share_left_for_costs_nothing(
    ready: PreparedClass, stop: Stop, status: Status
) -> None:
    context = ready.context
    probes = tuple(
        p if "/rows/" in p.id or "simulated=True" not in p.id else ProbeRun(p.id, None, stop, SPENT)
        for p in ready.expected.probes
    )
    assert probes != ready.expected.probes
    run = msgspec.structs.replace(ready.expected, probes=probes)
    spec, cases = context.loaded.spec, context.cases
    verdicts = judge(spec, run, Reference(ready.expected, cases, context.loaded.relations))
    (none,) = (v for v in verdicts if (v.exercise, v.check) == ("mean", "none"))
    assert none.status is status, none.message


def test_hidden_corners_stay_hidden(ready: PreparedClass, tmp_path: Path) -> None:
    evidence = public_evidence(ready.context.loaded, ready.context.cases, ready.expected)
    assert set(read_public(packed(evidence)).cases) == {"rows"}
