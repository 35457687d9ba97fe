"""From verdicts to a grade, to its JSON, to a file."""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Sequence
from decimal import Decimal
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

FILE = SubmittedFile("student-01.ipynb", "ab" * 32, ("read as nbformat 4.5",))
ONE = Array("float32", (1,), b"\0\0\0\0")


def check(id_: str, points_: str = "1", *, kind: str = "value", **keys: Any) -> dict[str, Any]:
    own = {"written": {"name": "x", "rubric": "says what and why"}}.get(kind, {"name": "x"})
    title = f"title of {id_}"
    return {"id": id_, "title": title, "points": Decimal(points_), "kind": kind, **own, **keys}


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


# ---------------------------------------------------------------- points


def test_points_add_up_exactly() -> None:
    spec = assignment(exercise("e", *(check(f"c{i}", "0.1") for i in range(10))))
    grade = graded(spec, *(verdict(f"e/c{i}", Status.PASSED, 100, 100) for i in range(10)))
    assert (grade.status, grade.score, grade.max_score) == ("graded", 1000, 1000)
    assert json.loads(result_json(grade))["score"] == 1


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["passed", "passed"], "passed"),
        (["passed", "manual"], "passed"),
        (["manual", "manual"], "manual"),
        (["passed", "failed"], "failed"),
        (["failed", "missing"], "missing"),
        (["missing", "raised"], "raised"),
        (["raised", "stopped"], "stopped"),
        (["passed", "skipped"], "skipped"),
        (["manual", "failed"], "failed"),
        (["stopped", "ungraded"], "ungraded"),
    ],
)
def test_an_exercise_takes_the_status_that_says_most(statuses: list[str], expected: str) -> None:
    spec = assignment(exercise("e", check("c0"), check("c1")))
    for order in (statuses, statuses[::-1]):
        verdicts = [
            verdict(f"e/c{i}", Status(word), 1000 if word == "passed" else 0)
            for i, word in enumerate(order)
        ]
        assert graded(spec, *verdicts).exercises[0].status.value == expected


def test_stretch_points_add_to_the_score_but_not_to_the_maximum() -> None:
    spec = assignment(exercise("e", check("c")), exercise("s", check("c", "2"), stretch=True))
    grade = graded(
        spec, verdict("e/c", Status.PASSED, 1000), verdict("s/c", Status.PASSED, 2000, 2000)
    )
    assert (grade.score, grade.max_score, grade.bonus, grade.bonus_max) == (3000, 1000, 2000, 2000)


def test_an_exercise_that_the_box_cannot_offer_counts_for_nobody() -> None:
    needing = exercise("r", check("c"), check("d", needs=["c"]), requires=["transformers"])
    spec = assignment(exercise("e", check("c")), needing)
    passed = verdict("e/c", Status.PASSED, 1000)
    grade = graded(spec, passed, verdict("r/c", Status.SKIPPED), verdict("r/d", Status.SKIPPED))
    assert grade.exercises[1].left_out
    assert (grade.score, grade.max_score) == (1000, 1000)
    assert [c.max_score for c in grade.exercises[1].checks] == [0, 0]


def test_a_check_skipped_because_another_failed_does_not_take_an_exercise_out() -> None:
    needing = exercise("r", check("c"), check("d", needs=["c"]), requires=["transformers"])
    grade = graded(
        assignment(needing), verdict("r/c", Status.FAILED), verdict("r/d", Status.SKIPPED)
    )
    assert not grade.exercises[0].left_out
    assert (grade.score, grade.max_score) == (0, 2000)
    plain = assignment(exercise("e", check("c")))
    assert graded(plain, verdict("e/c", Status.SKIPPED)).max_score == 1000


def test_written_answers_wait_outside_the_automatic_maximum() -> None:
    spec = assignment(exercise("e", check("c"), check("w", "4", kind="written")))
    grade = graded(
        spec, verdict("e/c", Status.PASSED, 1000), verdict("e/w", Status.MANUAL, 0, 4000)
    )
    assert (grade.score, grade.max_score, grade.manual_max) == (1000, 1000, 4000)
    assert grade.exercises[0].checks[1].score is None


def test_a_written_answer_that_is_not_there_changes_nobodys_maximum() -> None:
    spec = assignment(exercise("e", check("c"), check("w", "4", kind="written")))
    grade = graded(
        spec, verdict("e/c", Status.PASSED, 1000), verdict("e/w", Status.MISSING, 0, 4000)
    )
    assert (grade.score, grade.max_score, grade.manual_max) == (1000, 1000, 0)
    assert grade.exercises[0].status is Status.MISSING


@pytest.mark.parametrize(
    "verdicts",
    [
        [],
        [verdict("e/c", Status.PASSED, 1000), verdict("e/c", Status.PASSED, 1000)],
        [verdict("e/c", Status.UNGRADED, message="the box failed")],
        [verdict("e/c", Status.PASSED, 2000)],
        [verdict("e/c", Status.PASSED, 900)],
        [verdict("e/c", Status.PASSED, -1)],
        [verdict("e/c", Status.FAILED, 1000)],
        [verdict("e/c", Status.FAILED, -5)],
        [verdict("e/c", Status.RAISED, 500)],
        [verdict("e/c", Status.SKIPPED, 500)],
        [verdict("e/c", Status.PASSED, 2000, 2000)],
        [verdict("e/c", Status.FAILED, 400, 2000)],
    ],
)
def test_without_one_credible_verdict_there_is_no_score_and_no_zero(
    verdicts: Sequence[Verdict],
) -> None:
    spec = assignment(exercise("e", check("c")), exercise("f", check("c")))
    grade = graded(spec, *verdicts, verdict("f/c", Status.PASSED, 1000))
    assert (grade.status, grade.score, grade.bonus) == ("ungraded", None, None)
    assert grade.exercises[0].score is None
    assert grade.exercises[0].checks[0].score is None
    assert grade.exercises[1].score == 1000
    assert "e/c" in grade.reason


def test_part_of_the_points_may_be_earned_by_a_check_that_failed() -> None:
    spec = assignment(exercise("e", check("c")))
    assert graded(spec, verdict("e/c", Status.FAILED, 400)).score == 400


def test_a_verdict_on_an_unknown_check_needs_a_person() -> None:
    spec = assignment(exercise("e", check("c")))
    grade = graded(spec, verdict("e/c", Status.PASSED, 1000), verdict("e/old", Status.PASSED, 1000))
    assert grade.status == "ungraded"
    assert "e/old" in grade.reason


@pytest.mark.parametrize("status", ["rejected", "ungraded"])
def test_a_result_without_verdicts_has_a_reason_and_no_score(status: Any) -> None:
    spec = assignment(
        exercise("e", check("c"), check("w", kind="written")),
        exercise("s", check("c"), stretch=True),
    )
    grade = unscored(spec, FILE, student="student-01", status=status, reason="no cells")
    assert (grade.status, grade.reason, grade.score) == (status, "no cells", None)
    assert (grade.max_score, grade.bonus_max, grade.manual_max) == (1000, 1000, 1000)
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


def test_the_json_has_every_promised_key_in_a_fixed_order() -> None:
    shown = json.loads(result_json(rich_grade()))
    assert list(shown) == [
        "format",
        "assignment",
        "student",
        "submission",
        "status",
        "reason",
        "score",
        "max_score",
        "bonus",
        "bonus_max",
        "manual_max",
        "exercises",
        "isolation",
        "timing",
        "versions",
    ]
    assert shown["format"] == "autograder-result/1"
    assert list(shown["submission"]) == ["file", "sha256", "repairs"]
    assert {"id", "title", "status", "score", "max_score", "stretch", "checks"} <= set(
        shown["exercises"][0]
    )
    one = shown["exercises"][0]["checks"][0]
    assert {"id", "title", "kind", "public", "message", "hint", "diagnosis", "numbers"} <= set(one)
    assert "picture" not in one
    assert (one["status"], one["score"], one["max_score"]) == ("failed", 0.5, 1.5)
    assert one["numbers"]["max_rel"] is None
    assert list(shown["isolation"]) == ["level", "layers"]
    parts = ["fork", "cells", "calls", "transit", "store"]
    assert list(shown["timing"]) == ["queued", "run", "judged", "peak_mb", *parts]


def test_the_json_is_deterministic_readable_and_comes_back() -> None:
    grade = rich_grade()
    data = result_json(grade)
    assert data == result_json(rich_grade())
    assert data.endswith(b"}\n")
    assert "größer".encode() in data
    back = read_result(data)
    assert result_json(back) == data
    assert back.exercises[0].checks[0].mismatches == grade.exercises[0].checks[0].mismatches


def test_an_odd_file_name_still_makes_valid_json() -> None:
    name = os.fsdecode(b"student-\xff.ipynb")
    odd = msgspec.structs.replace(rich_grade(), submission=SubmittedFile(name, "0" * 64))
    assert json.loads(result_json(odd).decode("utf-8"))["submission"]["file"] == name
    assert read_result(result_json(odd)).submission.file == name


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


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "student-01.json"
    write_atomic(path, b"old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["student-01.json"]
    assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600


def test_a_link_under_the_name_is_replaced_and_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    (tmp_path / "out.json").symlink_to(target)
    write_atomic(tmp_path / "out.json", b"new")
    assert target.read_bytes() == b"precious"
    assert not (tmp_path / "out.json").is_symlink()


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
