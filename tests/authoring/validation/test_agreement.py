"""Stored public evidence agrees with new answers exactly where no check can tell them apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from msgspec.structs import replace

from autograder.authoring.release import made_release
from autograder.authoring.validation.agreement import differences
from autograder.execution.engines.local import Inline
from autograder.student.public_evidence import (
    LaterChecks,
    PublicEvidence,
    public_bytes,
    read_public,
)
from autograder.wire.messages import Outcome
from autograder.wire.tensors import to_tensor, to_wire
from autograder.wire.values import Array
from tests.support.courses import SMALL, write_course
from tests.support.small_public import function, made, with_small

RELATION = """
def is_steady(seen):
    first, again = seen.calls("train", "seeds")
    if abs(float(first.result.sum()) - float(again.result.sum())) > 1e-6:
        yield "Another run gives another result."
"""
MEASURED = {"rtol": 0, "atol": 1e-3, "why": "the spread that was measured"}
CHECKS = {
    "wave": [function("wave", "sizes", tolerance=MEASURED)],
    "count": [{"id": "count", "kind": "value", "name": "count"}],
    "train": [
        {
            "id": "steady",
            "kind": "relation",
            "relation": "is_steady",
            "calls": [{"call": "train", "inputs": "seeds"}],
        }
    ],
}
SOLUTION = """
import torch

def wave(size):
    return torch.arange(float(size)) + {wave}

count = {count}

def train(seed):
    return torch.full((3,), {train})
"""


def answers(*, wave: float = 0.0, count: int = 4, train: float = 1.0) -> PublicEvidence:
    """The public evidence that a solution with these numbers gives."""
    source = SOLUTION.format(wave=wave, count=count, train=train)
    cases = {"sizes": [(3,), (5,)], "seeds": [(1,), (1,)]}
    return made(CHECKS, source, cases=cases, relations=RELATION)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"wave": 5e-4}, None),  # inside the check's own tolerance
        ({"wave": 5e-3}, "wave/"),
        ({"wave": float("nan")}, "wave/"),
        ({"count": 5}, "count"),
        ({"train": 7.25}, None),  # the relation compares a submission with itself alone
    ],
)
def test_an_answer_agrees_within_the_tolerance_of_its_checks(
    changed: dict[str, Any], named: str | None
) -> None:
    for stored, new in ((answers(), answers(**changed)), (answers(**changed), answers())):
        different = differences(stored, new)
        assert bool(different) is (named is not None)
        assert all(clause.startswith(f"the solution's answer to {named}") for clause in different)


@pytest.mark.parametrize(("wave", "named"), [(5e-4, False), (5e-3, True)])
def test_stored_answers_to_small_calls_are_judged(wave: float, named: bool) -> None:
    """By the tolerance of their check; other small calls never agree."""
    rows = [{"sizes": (1,)}]
    stored, new = (
        with_small(
            answers(),
            {("wave", "wave-is-right"): rows},
            SOLUTION.format(wave=number, count=4, train=1.0),
        )
        for number in (0.0, wave)
    )
    assert stored.outcomes != new.outcomes
    assert bool(differences(stored, new)) is bool(differences(new, stored)) is named
    assert all("answer to wave/small/" in clause for clause in differences(stored, new))
    assert differences(stored, replace(new, small=())) == ["the small calls have changed"]


def test_an_answer_that_no_check_asks_for_is_named() -> None:
    one, other = (
        replace(answers(), outcomes={**answers().outcomes, "lost": Outcome(status)})
        for status in ("returned", "missing")
    )
    assert differences(one, other) == ["the solution's answer to lost has changed"]


def test_which_answers_there_are_is_compared() -> None:
    fewer = replace(answers(), outcomes={})
    assert differences(answers(), answers()) == []
    assert differences(answers(), fewer) == ["other calls are made"]


def restated(**fields: Any) -> PublicEvidence:
    """The evidence with other facts about its first exercise."""
    first, *rest = answers().exercises
    changed = replace(first, **fields)
    return replace(answers(), exercises=(changed, *rest))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"title": "another"}, ["the title has changed"]),
        ({"assignment": "other"}, ["it is of the assignment 'small'"]),
        ({"version": "ba9876543210"}, ["the template has changed"]),
        ({"outline": ((),)}, ["the template has changed"]),
        ({"relations": "x = 1"}, ["the relations have changed"]),
        ({"exercises": ()}, [f"exercise {name!r} is gone" for name in CHECKS]),
        ({"exercises": answers().exercises[::-1]}, ["the exercises are in another order"]),
        ({"limits": {"call_cpu_s": 1}}, ["the limit call_cpu_s has changed"]),
        ({"order": "report"}, ["it states notebook.order = 'either', it is 'report'"]),
        ({"cases": {}}, ["the inputs 'seeds' have changed", "the inputs 'sizes' have changed"]),
        (
            {"exercises": tuple(replace(one, model="gpt2") for one in answers().exercises)},
            ["the settings have changed"],
        ),
    ],
)
def test_every_part_is_compared(changed: dict[str, Any], said: list[str]) -> None:
    other = replace(answers(), **changed)
    assert differences(answers(), other) == said


def test_what_is_stated_of_an_exercise_is_compared_in_words() -> None:
    later = LaterChecks(checks=2, points=2500, answers=1, answer_points=1000)
    (check,) = answers().exercises[0].checks
    for changed, said in (
        ({"stretch": True}, "stretch has changed"),
        ({"checks": ()}, "public check 'wave-is-right' is gone"),
        (
            {"checks": ({**check, "points": 2, "hint": "a"},)},
            "check 'wave-is-right': hint and points changed",
        ),
        ({"later": replace(later, checks=3)}, "it states 2 hidden checks, there are 3"),
        ({"later": replace(later, checks=1)}, "it states 2 hidden checks, there is 1"),
        (
            {"later": replace(later, points=3000)},
            "states 2.5 points for 2 hidden checks, they earn 3",
        ),
        ({"later": replace(later, answers=0)}, "states 1 written answer, there are 0"),
    ):
        (clause,) = differences(restated(later=later), restated(**{"later": later, **changed}))
        assert clause.startswith("wave: ") and clause.endswith(said), clause


def test_how_relations_are_written_makes_no_difference() -> None:
    spaced = replace(answers(), relations=f"# a comment\n\n{RELATION}\n\n")
    assert differences(answers(), spaced) == []


def rounded_otherwise(outcome: Outcome) -> Outcome:
    """An array as another processor may have computed it."""
    if not isinstance(outcome.value, Array) or "float" not in outcome.value.dtype:
        return outcome
    value = to_tensor(outcome.value)
    moved = torch.nextafter(value, torch.full_like(value, 9.0))
    return replace(outcome, value=to_wire(moved))


@pytest.mark.slow
def test_a_release_leaves_a_file_that_agrees_and_replaces_any_other(tmp_path: Path) -> None:
    course = write_course(tmp_path, SMALL)
    path = course.folder / "public.agw"

    def released() -> bytes:
        return made_release(course, Inline(), lambda what, total: None).files[path]

    new = released()
    stored = read_public(new)
    rounded = {id_: rounded_otherwise(outcome) for id_, outcome in stored.outcomes.items()}
    assert rounded != stored.outcomes
    elsewhere = public_bytes(replace(stored, outcomes=rounded))
    path.write_bytes(elsewhere)
    assert released() == elsewhere
    for other in (b"no evidence", public_bytes(replace(stored, title="Old"))):
        path.write_bytes(other)
        assert released() == new
