"""The public evidence: what students get holds nothing of a hidden check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pydantic import TypeAdapter

from autograder.assignment.excerpt import excerpt
from autograder.assignment.kinds import Check
from autograder.assignment.load import load
from autograder.assignment.model import Exercise
from autograder.classroom.known_mistakes import read_solution
from autograder.errors import SpecError, StoreError
from autograder.grading.context import PreparedClass
from autograder.notebook.structure.outline import outline_of
from autograder.student.public_evidence import (
    WHY,
    PublicEvidence,
    _exercise,
    public_bytes,
    public_evidence,
    read_public,
)

ROOT = Path(__file__).resolve().parents[2]
ALL = sorted(path.parent for path in (ROOT / "assignments").glob("*/assignment.toml"))


@pytest.fixture(scope="module")
def public(prepared: PreparedClass) -> PublicEvidence:
    context = prepared.context
    loaded = context.loaded
    outline = outline_of(read_solution(loaded), loaded.spec)
    return public_evidence(
        loaded, context.cases, prepared.expected, outline=outline, version="0123456789ab"
    )


def hidden(prepared: PreparedClass) -> Iterator[Any]:
    for exercise in prepared.context.loaded.spec.exercise:
        yield from (c for c in exercise.check if not c.public or c.kind == "written")


# ---------------------------------------------------------------- what is in it, and what not


def test_it_holds_public_calls_and_no_hidden_ones(
    public: PublicEvidence, prepared: PreparedClass
) -> None:
    assert "pipeline_example" in public.cases
    generators = {"pipeline_cases", "encoding_long", "cosine_cases", "one_hot_cases"}
    assert generators & set(public.cases) == set()
    assert not any(name in id_ for id_ in public.outcomes for name in generators)
    spec = prepared.context.loaded.spec
    shown = {(e.id, c["id"]) for e in public.exercises for c in e.checks}
    assert shown == {(e.id, c.id) for e in spec.exercise for c in e.check if c.public}
    assert any(True for _ in hidden(prepared))  # there are hidden checks to leave out


def test_no_word_or_value_of_a_hidden_check_is_in_the_bytes(
    public: PublicEvidence, prepared: PreparedClass
) -> None:
    data = public_bytes(public)
    said = {t for e in public.exercises for c in e.checks for t in (c["title"], c.get("hint", ""))}
    told = 0
    for check in hidden(prepared):
        for text in {check.title, check.hint, getattr(check, "rubric", "")} - said - {""}:
            assert text.encode() not in data, text
            told += 1
        if check.kind == "relation":
            assert f"def {check.relation}(" not in public.relations
    assert told > 30
    hidden_answer = next(p for p in prepared.expected.probes if "pipeline_cases/0" in p.id)
    assert hidden_answer.claim is not None
    assert hidden_answer.claim.value.data[:64] not in data  # type: ignore[union-attr]


def test_hidden_and_written_checks_are_numbers(
    public: PublicEvidence, prepared: PreparedClass
) -> None:
    spec = prepared.context.loaded.spec
    assert [e.id for e in public.exercises] == [e.id for e in spec.exercise]
    only_written = {e.id for e in public.exercises if not e.checks}
    assert {"predictions", "dna_transfer"} <= only_written
    for own, exercise in zip(public.exercises, spec.exercise, strict=True):
        later = own.later
        kinds = [(c.public, c.kind == "written", int(c.points * 1000)) for c in exercise.check]
        unseen = [points for shown, by_hand, points in kinds if not shown and not by_hand]
        by_hand = [points for _, by_hand, points in kinds if by_hand]
        assert (later.checks, later.points) == (len(unseen), sum(unseen))
        assert (later.answers, later.answer_points) == (len(by_hand), sum(by_hand))


def exercise(*checks: dict[str, Any]) -> Exercise:
    usual = {"title": "a title", "points": 1, "public": True}
    made = TypeAdapter(tuple[Check, ...]).validate_python([{**usual, **c} for c in checks])
    return Exercise(id="e", title="an exercise", defines=("x",), check=made)


def test_a_need_of_a_hidden_check_is_not_told() -> None:
    value = {"kind": "value", "name": "x"}
    own = _exercise(
        exercise(
            {"id": "secret", **value, "public": False},
            {"id": "open", **value},
            {"id": "last", **value, "needs": ["secret", "open"]},
        )
    )
    assert [check.get("needs") for check in own.checks] == [None, ["open"]]


def test_the_reason_of_a_tolerance_and_a_rubric_stay_with_the_author() -> None:
    tolerance = {"rtol": 0.0, "atol": 1e-3, "why": "the mistake `sum` comes as near as 0.01"}
    own = _exercise(
        exercise(
            {"id": "a", "kind": "value", "name": "x", "tolerance": tolerance},
            {
                "id": "b",
                "kind": "precision",
                "call": "x",
                "inputs": "i",
                "dtypes": ["float64"],
                "tolerances": {"float64": tolerance},
            },
            {"id": "c", "kind": "written", "name": "x", "rubric": "one point for the reason"},
        )
    )
    assert [check["id"] for check in own.checks] == ["a", "b"]
    assert own.checks[0]["tolerance"] == {"rtol": 0.0, "atol": 1e-3, "why": WHY}
    assert own.checks[1]["tolerances"]["float64"]["why"] == WHY
    assert (own.later.answers, own.later.checks) == (1, 0)


def test_measured_tolerances_arrive_as_numbers() -> None:
    loaded = load(ROOT / "assignments" / "embedding-fundamentals")
    assert loaded.wanted.measured
    for own in map(_exercise, loaded.spec.exercise):
        for check in own.checks:
            if f"{own.id}/{check['id']}" in loaded.wanted.measured:
                assert check["tolerance"]["atol"] > 0
                return
    raise AssertionError("no public check with a measured tolerance")


def test_the_assignment_comes_back_with_its_public_checks(
    public: PublicEvidence, prepared: PreparedClass
) -> None:
    spec = prepared.context.loaded.spec
    found = read_public(public_bytes(public)).spec([e.id for e in public.exercises])
    assert found is not None and (found.limits, found.notebook) == (spec.limits, spec.notebook)
    before = {(e.id, c.id): c for e in spec.exercise for c in e.check if c.public}
    for one in found.exercise:
        for check in one.check:
            was = before[one.id, check.id]
            changed = {"needs": check.needs, "tolerance": getattr(check, "tolerance", None)}
            assert check == was.model_copy(update={k: v for k, v in changed.items() if v})
    assert public.spec(["predictions"]) is None
    assert {e.id for e in public.outlined().exercise} == {e.id for e in spec.exercise}


# ---------------------------------------------------------------- the part of checks.py


@pytest.mark.parametrize(
    "folder", [path for path in ALL if (path / "checks.py").is_file()], ids=lambda path: path.name
)
def test_public_relations_are_cut_out_with_what_they_need(folder: Path) -> None:
    spec = load(folder).spec
    source = (folder / "checks.py").read_text()
    named: dict[bool, set[str]] = {True: set(), False: set()}
    for check in (check for one in spec.exercise for check in one.check):
        for key in ("relation", "statistic"):
            if name := getattr(check, key, ""):
                named[check.public].add(name)
    cut = excerpt(source, sorted(named[True]))
    names: dict[str, Any] = {}
    exec(compile(cut, "cut", "exec"), names)
    assert named[True] <= set(names)
    assert not (named[False] - named[True]) & set(names)
    assert len(cut) < len(source)


SOURCE = '''"""Of the whole file."""
from __future__ import annotations

import math, os  # both
from collections.abc import Iterator as Rows, Sequence

if math.pi > 3:
    LIMIT = 2
else:
    LIMIT = 1
ONLY_HIDDEN = "the answer"
TEXT = """
    # no comment, and an empty line

    """


def shown(seen) -> Rows:
    """Says what.

    With a line between."""
    # how the answer is found
    return _near(seen)  # the answer is 7


@staticmethod
def _near(x: int): return x < LIMIT and _Kind(TEXT)


class _Kind(str):
    size = math.e


def hidden(seen: Sequence):
    return shown(seen), ONLY_HIDDEN, os
'''


def test_an_excerpt_has_what_is_needed_as_it_stands_and_no_comment() -> None:
    cut = excerpt(SOURCE, ["shown"])
    assert "answer" not in cut and "hidden" not in cut and "Sequence" not in cut
    assert "import math\n" in cut and "os" not in cut.split()
    assert '"""\n    # no comment, and an empty line\n\n    """' in cut
    assert "@staticmethod\ndef _near" in cut and "Iterator as Rows" in cut
    names: dict[str, Any] = {}
    exec(compile(cut, "cut", "exec"), names)
    assert names["LIMIT"] == 2 and names["shown"].__doc__.startswith("Says what.\n\n")
    assert excerpt(cut, ["shown"]) == cut
    assert excerpt(SOURCE, []) == ""
    assert "ONLY_HIDDEN" in excerpt(SOURCE, ["hidden"])


def test_statements_on_one_line_are_parted() -> None:
    assert excerpt("a = 1; b = 2; c = 3\ndef f(): return b\n", ["f"]).split("\n\n") == [
        "b = 2",
        "def f(): return b",
        "",
    ]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(:", "line 1: .*`def f\\(:`; correct this line"),
        ("from math import *\ndef f(): return pi", "import \\*"),
        ("def g(): return 1", "no function `f`"),
    ],
)
def test_what_cannot_be_cut_out_is_told(source: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        excerpt(source, ["f"])


# ---------------------------------------------------------------- files


def test_equal_evidence_gives_equal_bytes_and_comes_back(public: PublicEvidence) -> None:
    data = public_bytes(public)
    assert read_public(data) == public
    assert public_bytes(read_public(data)) == data


@pytest.mark.parametrize(
    "data", [b"\x80", msgspec.msgpack.encode({"format": "autograder-public/1"})]
)
def test_a_file_that_is_none_is_named(data: bytes) -> None:
    with pytest.raises(StoreError, match=r"here\.agw: not a file of public checks"):
        read_public(data, name="here.agw")
