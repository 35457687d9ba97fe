"""From verdicts to a grade, to its JSON, to a file."""

from __future__ import annotations

import json
import math
import os
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.assignment.model import Assignment
from autograder.errors import StoreError
from autograder.evidence.records import Measured, Run
from autograder.files import write_atomic
from autograder.gradebook.grade import Grade, GradeTiming, SubmittedFile, as_points, from_points
from autograder.gradebook.points import points, unscored
from autograder.gradebook.result import read_result, result_json
from autograder.gradebook.visible import one_line, visible
from autograder.judging.verdict import Mismatch, Numbers, Picture, Status, Verdict
from autograder.wire.values import Array
from tests.support.made_feedback import check

FILE = SubmittedFile("student-01.ipynb", "ab" * 32, ("read as nbformat 4.5",))
ONE = Array("float32", (1,), b"\0\0\0\0")


def exercise(id_: str, *checks: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"id": id_, "title": f"About {id_}", "defines": ["x"], "check": list(checks), **keys}


def assignment(*exercises: dict[str, Any]) -> Assignment:
    content = {"format": 1, "id": "a1", "title": "First", "exercise": list(exercises)}
    return Assignment.model_validate(content)


def verdict(
    where: str, status: Status, earned: int = 0, possible: int = 1000, **keys: Any
) -> Verdict:
    exercise_id, check_id = where.split("/")
    public = keys.pop("public", False)
    return Verdict(exercise_id, check_id, "value", public, status, earned, possible, **keys)


def graded(spec: Assignment, *verdicts: Verdict, run: Run | None = None) -> Grade:
    return points(spec, FILE, verdicts, run, student="student-01")


def verdicts(text: str) -> list[Verdict]:
    """Such as ``e/c failed 400/1000``, with commas between them."""
    found = []
    for one in text.split(", ") if text else ():
        where, status, amounts = one.split()
        earned, possible = amounts.split("/")
        found.append(verdict(where, Status(status), int(earned), int(possible)))
    return found


# ---------------------------------------------------------------- points


E, F = exercise("e", check("c")), exercise("f", check("c"))
TENTHS = exercise("e", *(check(f"c{i}", "0.1") for i in range(10)))
STRETCH = exercise("s", check("c", "2"), stretch=True)
NEEDING = exercise("r", check("c"), check("d", needs=["c"]), requires=["transformers"])
WRITTEN = exercise("e", check("c"), check("w", "4", kind="written", rubric="says what and why"))


@pytest.mark.parametrize(
    ("exercises", "found", "amounts"),
    [
        ([TENTHS], ", ".join(f"e/c{i} passed 100/100" for i in range(10)), (1000, 1000, 0, 0)),
        ([E, STRETCH], "e/c passed 1000/1000, s/c passed 2000/2000", (3000, 1000, 2000, 0)),
        ([E], "e/c failed 400/1000", (400, 1000, 0, 0)),
        ([E], "e/c skipped 0/1000", (0, 1000, 0, 0)),
        # what the box cannot offer counts for nobody; what is skipped since another failed counts
        ([E, NEEDING], "e/c passed 1000/1000, r/c skipped 0/1000, r/d skipped 0/1000", (1000,) * 2),
        ([NEEDING], "r/c failed 0/1000, r/d skipped 0/1000", (0, 2000, 0, 0)),
        # a written answer waits outside of the automatic maximum, or is not there
        ([WRITTEN], "e/c passed 1000/1000, e/w manual 0/4000", (1000, 1000, 0, 4000)),
        ([WRITTEN], "e/c passed 1000/1000, e/w missing 0/4000", (1000, 1000, 0, 0)),
    ],
)
def test_points_add_up(
    exercises: list[dict[str, Any]], found: str, amounts: tuple[int, ...]
) -> None:
    grade = graded(assignment(*exercises), *verdicts(found))
    assert grade.status == "graded" and json.loads(result_json(grade))["score"] == amounts[0] / 1000
    made = (grade.score, grade.max_score, grade.bonus, grade.manual_max)
    assert made[: len(amounts)] == amounts
    assert [one.left_out for one in grade.exercises] == [
        one is NEEDING and "r/c skipped" in found for one in exercises
    ]


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ("passed passed", "passed"),
        ("passed manual", "passed"),
        ("manual manual", "manual"),
        ("passed failed", "failed"),
        ("failed missing", "missing"),
        ("missing raised", "raised"),
        ("raised stopped", "stopped"),
        ("passed skipped", "skipped"),
        ("manual failed", "failed"),
        ("stopped ungraded", "ungraded"),
    ],
)
def test_an_exercise_takes_the_status_that_says_most(statuses: str, expected: str) -> None:
    spec = assignment(exercise("e", check("c0"), check("c1")))
    for order in (statuses.split(), statuses.split()[::-1]):
        found = [
            verdict(f"e/c{i}", Status(word), 1000 if word == "passed" else 0)
            for i, word in enumerate(order)
        ]
        assert graded(spec, *found).exercises[0].status.value == expected


@pytest.mark.parametrize(
    "found",
    [
        "",
        "e/c passed 1000/1000, e/c passed 1000/1000",
        "e/c ungraded 0/1000",
        "e/c passed 2000/1000",
        "e/c passed 900/1000",
        "e/c passed -1/1000",
        "e/c failed 1000/1000",
        "e/c failed -5/1000",
        "e/c raised 500/1000",
        "e/c skipped 500/1000",
        "e/c passed 2000/2000",
        "e/c failed 400/2000",
    ],
)
def test_without_one_credible_verdict_there_is_no_score_and_no_zero(found: str) -> None:
    grade = graded(assignment(E, F), *verdicts(found), verdict("f/c", Status.PASSED, 1000))
    assert (grade.status, grade.score, grade.bonus) == ("ungraded", None, None)
    assert grade.exercises[0].score is None
    assert grade.exercises[0].checks[0].score is None
    assert grade.exercises[1].score == 1000
    assert "e/c" in grade.reason


def test_a_verdict_on_an_unknown_check_needs_a_person() -> None:
    grade = graded(assignment(E), *verdicts("e/c passed 1000/1000, e/old passed 1000/1000"))
    assert grade.status == "ungraded" and "e/old" in grade.reason


@pytest.mark.parametrize("status", ["rejected", "ungraded"])
def test_a_result_without_verdicts_has_a_reason_and_no_score(status: Any) -> None:
    grade = unscored(
        assignment(WRITTEN, STRETCH), FILE, student="student-01", status=status, reason="no cells"
    )
    assert (grade.status, grade.reason, grade.score) == (status, "no cells", None)
    assert (grade.max_score, grade.bonus_max, grade.manual_max) == (1000, 2000, 4000)
    assert json.loads(result_json(grade))["score"] is None


def test_a_picture_is_kept_for_public_checks_alone() -> None:
    spec = assignment(exercise("e", check("c", public=True), check("d")))
    picture = Picture("x", ONE, ONE)
    grade = graded(
        spec,
        verdict("e/c", Status.FAILED, public=True, picture=picture),
        verdict("e/d", Status.FAILED, picture=picture),
    )
    assert [c.picture for c in grade.exercises[0].checks] == [picture, None]


def test_isolation_is_what_was_measured() -> None:
    spec = assignment(exercise("e", check("c")))
    run = Run((), (), Measured(1.0, 2.0, 80.0, 1, "strong", ("network", "files")))
    passed = verdict("e/c", Status.PASSED, 1000)
    assert graded(spec, passed, run=run).isolation.layers == ("network", "files")
    assert graded(spec, passed).isolation.level == "not run"


# ---------------------------------------------------------------- JSON


def rich_grade() -> Grade:
    spec = assignment(exercise("e", check("c", "1.5", public=True, hint="look at row 0")))
    numbers = Numbers(2, 8, 1, 0.25, math.inf, (0, 3))
    mismatches = (Mismatch("result", "value", "1.0", "2.0", ("key", 2), numbers),)
    found = verdict(
        "e/c",
        Status.FAILED,
        500,
        1500,
        public=True,
        message="größer als erlaubt",
        mismatches=mismatches,
        diagnosis="sine first",
        picture=Picture("result", ONE, ONE),
    )
    grade = points(spec, FILE, [found], None, student="student-01")
    return grade.with_run(GradeTiming(0.5, 1.25, 0.01), {"torch": "2", "os": "3"})


def test_the_json_is_deterministic_readable_and_comes_back() -> None:
    name = os.fsdecode(b"student-\xff.ipynb")
    grade = msgspec.structs.replace(rich_grade(), submission=SubmittedFile(name, "0" * 64))
    data = result_json(grade)
    assert data.endswith(b"}\n") and "größer".encode() in data
    assert json.loads(data.decode("utf-8"))["submission"]["file"] == name
    back = read_result(data)
    assert result_json(back) == data
    assert back.exercises[0].checks[0].mismatches == grade.exercises[0].checks[0].mismatches
    assert b"NaN" not in data and b"Infinity" not in data and b'"picture"' not in data


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"{}", b'{"format": "autograder-result/2"}', b"\xff"]
)
def test_a_damaged_result_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(StoreError, match=r"student-01\.json"):
        read_result(data, name="student-01.json")
    shown = json.loads(result_json(rich_grade()))
    shown["exercises"][0]["checks"][0]["status"] = "excellent"
    with pytest.raises(StoreError):
        read_result(json.dumps(shown).encode())


def test_points_survive_the_way_through_decimals() -> None:
    assert all(from_points(as_points(n)) == n for n in range(0, 10_000_000, 997))
    assert as_points(2000) == 2
    assert isinstance(as_points(2000), int)
    assert as_points(2001) == 2.001


# ---------------------------------------------------------------- text and files


def test_hidden_characters_are_written_out() -> None:
    assert visible("a\x1b[2Jb\u202ec\x9b\udcff\u2066") == "a\\x1b[2Jb\\u202ec\\x9b\\udcff\\u2066"
    assert visible("Größe\n\t日本語 שלום") == "Größe\n\t日本語 שלום"
    assert one_line("a\r\n b\x00") == "a b\\x00"


def test_a_file_is_replaced_whole_and_a_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    path = tmp_path / "student-01.json"
    path.symlink_to(target)
    write_atomic(path, b"old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new" and not path.is_symlink()
    assert target.read_bytes() == b"precious"
    assert {p.name for p in tmp_path.iterdir()} == {"precious", "student-01.json"}
    assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600


def test_a_planted_temporary_file_is_never_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _: "guessed")
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    (tmp_path / ".guessed.tmp").symlink_to(target)
    with pytest.raises(StoreError):
        write_atomic(tmp_path / "out.json", b"new")
    assert target.read_bytes() == b"precious"


def test_a_failed_write_keeps_the_old_file_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.json"
    write_atomic(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match=r"out\.json.*No space left"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1
