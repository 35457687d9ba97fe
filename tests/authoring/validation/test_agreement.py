"""Stored public evidence agrees with new answers exactly where no check can tell them apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch

from autograder.authoring.release import made_release
from autograder.authoring.validation.agreement import differences
from autograder.execution.engines.local import Inline
from autograder.student.public_evidence import PublicEvidence, public_bytes, read_public
from autograder.wire.messages import Outcome
from autograder.wire.tensors import to_tensor, to_wire
from autograder.wire.values import Array
from tests.support.courses import SMALL, write_course
from tests.support.small_public import function, made

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
        assert all(named is not None and id_.startswith(named) for id_ in different)


def test_an_answer_that_no_check_asks_for_is_named() -> None:
    one, other = (
        msgspec.structs.replace(answers(), outcomes={**answers().outcomes, "lost": Outcome(status)})
        for status in ("returned", "missing")
    )
    assert differences(one, other) == ["lost"]


def test_which_answers_there_are_is_compared() -> None:
    fewer = msgspec.structs.replace(answers(), outcomes={})
    assert differences(answers(), answers()) == []
    assert differences(answers(), fewer) == ["which public checks there are"]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("title", "another", "the title"),
        ("version", "ba9876543210", "the template"),
        ("outline", ((),), "the template"),
        ("relations", "x = 1", "the relations"),
        ("exercises", (), "what the checks say"),
        ("limits", {"call_cpu_s": 1}, "what the checks say"),
        ("order", "report", "what the checks say"),
        ("cases", {}, "the public inputs"),
    ],
)
def test_every_part_is_compared(field: str, value: Any, said: str) -> None:
    other = msgspec.structs.replace(answers(), **{field: value})
    assert differences(answers(), other) == [said]


def test_how_relations_are_written_makes_no_difference() -> None:
    spaced = msgspec.structs.replace(answers(), relations=f"# a comment\n\n{RELATION}\n\n")
    assert differences(answers(), spaced) == []


def rounded_otherwise(outcome: Outcome) -> Outcome:
    """An array as another processor may have computed it."""
    if not isinstance(outcome.value, Array) or "float" not in outcome.value.dtype:
        return outcome
    value = to_tensor(outcome.value)
    moved = torch.nextafter(value, torch.full_like(value, 9.0))
    return msgspec.structs.replace(outcome, value=to_wire(moved))


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
    elsewhere = public_bytes(msgspec.structs.replace(stored, outcomes=rounded))
    path.write_bytes(elsewhere)
    assert released() == elsewhere
    for other in (b"no evidence", public_bytes(msgspec.structs.replace(stored, title="Old"))):
        path.write_bytes(other)
        assert released() == new
