"""results.json by policy, its strict model, the lenient reading of metadata, half-done runs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import msgspec
import pytest

from autograder.errors import StoreError
from autograder.gradebook.grade import Grade
from autograder.gradebook.points import points
from autograder.grading.partial_grade import NOT_REACHED, grade_so_far, nothing_reached
from autograder.interop.gradescope.grade_in_time import LEAST_S, NoTimeLeft, WatchedGrading
from autograder.interop.gradescope.metadata import Metadata, read_metadata
from autograder.interop.gradescope.results import Results, ResultTest, results_bytes
from autograder.interop.gradescope.settings import HIDDEN, Hidden
from autograder.interop.gradescope.student_results import GradeCircumstances, nothing_told, told
from autograder.judging.verdict import Status
from autograder.notebook.structure.locate import Located
from autograder.notebook.submission import Submission
from autograder.reports.feedback.feedback import feedback
from tests.support.canary_homework import FILE, SECRET, SPEC, grade, no_score, verdicts
from tests.support.strict_readers import gradescope

REFUSED = (StoreError, msgspec.MsgspecError, UnicodeError, RecursionError)
POSSIBLE = Decimal(1)  # without the written answer and the bonus


def read(found: Grade, **beside: Any) -> tuple[Results, gradescope.Results]:
    data = results_bytes(told(feedback(found, SPEC), GradeCircumstances(**beside)))
    assert SECRET.encode() not in data and b"\x1b" not in data and b"\\u001b" not in data
    strict = gradescope.read(data)
    assert strict.worth == POSSIBLE
    return gradescope.read_model(data), strict


def test_the_points_are_those_that_the_grader_gives() -> None:
    found, strict = read(grade(a=Status.FAILED))
    assert strict.total == Decimal("2.67")  # with the bonus, which is in no maximum
    assert found.stdout_visibility == "hidden"
    last = strict.tests[-1]
    assert "worth up to 3 points" in last["output"] and "max_score" not in last


@pytest.mark.parametrize("policy", HIDDEN)
def test_a_policy_that_hides_tells_no_total(policy: Hidden) -> None:
    _, strict = read(grade(a=Status.FAILED), hidden=policy, penalty=100, late_days=1)
    hidden = [t for t in strict.tests if t["visibility"] != "visible"]
    if policy == "summary":
        assert not hidden and "2.57 of 1 points" in strict.output
        return
    assert [t["name"] for t in hidden] == ["The <first>: further checks"]
    assert {t["visibility"] for t in hidden} == {policy}
    assert strict.total is None
    assert "points" not in strict.output and "1 started day" in strict.output


def test_what_our_side_could_not_grade_has_no_score_and_says_so() -> None:
    _, strict = read(grade(shape=Status.UNGRADED))
    by_name = {test["name"]: test for test in strict.tests}
    assert "score" not in by_name["The <first>: title of shape"]
    assert by_name["The <first>: further checks"]["score"] == Decimal("0.67")
    assert "not final" in strict.output and "so far" in strict.output


def test_where_nothing_could_be_graded_the_zero_is_no_grade_and_a_rejection_says_why() -> None:
    lost = dict.fromkeys(("shape", "a", "b", "bonus", "why"), Status.UNGRADED)
    _, strict = read(grade(**lost))
    assert "is not a grade" in strict.output
    _, strict = read(no_score("ungraded", f"{SECRET} box"))
    assert "is not a grade" in strict.output and "score" not in strict.tests[0]
    _, strict = read(no_score("rejected", "cut off"))
    assert "cut off" in strict.output and "Restart and Run All" in strict.output
    assert strict.tests[0]["score"] == 0


def test_an_assignment_that_only_a_person_grades() -> None:
    asked = SPEC.model_copy(update={"exercise": SPEC.exercise[1:2]})
    written = [v for v in verdicts() if v.check == "why"]
    found = points(asked, FILE, written, None, student="s")
    strict = gradescope.read(results_bytes(told(feedback(found, asked), GradeCircumstances())))
    assert (strict.total, strict.worth) == (0, 0)
    assert "1 answer, worth up to 3 points" in strict.tests[0]["output"]


def test_half_a_run_keeps_what_there_is() -> None:
    half = [
        v if v.check == f"{SECRET}-b" else n
        for v, n in zip(verdicts(), nothing_reached(SPEC), strict=True)
    ]
    _, strict = read(grade_so_far(SPEC, FILE, half, None), finished=False)
    assert strict.total == Decimal("0.33")
    assert "did not finish" in strict.output and "0.33 of 1 points so far" in strict.output
    first = strict.tests[0]
    assert first["score"] == 0 and NOT_REACHED in first["output"]
    assert "Look at the shape." not in first["output"]  # nobody looked at it


def test_names_that_are_no_text_do_no_harm() -> None:
    odd = nothing_told("half\udcff \ud800", 1_000, GradeCircumstances(extra={"\udcff": ["\ud800"]}))
    assert gradescope.read_model(results_bytes(odd)).tests


def test_the_model_takes_nothing_that_is_not_documented() -> None:
    with pytest.raises(StoreError, match="not finite"):
        results_bytes(Results(score=float("nan")))
    with pytest.raises(StoreError, match="no max_score"):
        results_bytes(Results(score=1, tests=(ResultTest(score=1),)))
    assert set(get_args(Hidden)) == {*HIDDEN}
    texts = Path(__file__).with_name("undocumented.txt").read_text().splitlines()
    for text in texts:
        with pytest.raises(REFUSED):
            gradescope.read_model(text.encode())
            pytest.fail(text)


def test_the_model_takes_the_whole_of_what_is_documented() -> None:
    text = """{"score": 1.5, "execution_time": 12, "output": "o", "output_format": "md",
      "test_output_format": "ansi", "test_name_format": "simple_format", "visibility": "visible",
      "stdout_visibility": "after_published", "leaderboard": [{"name": "a", "value": "b",
      "order": "asc"}], "extra_data": {"run": [1]}, "tests": [{"score": 0.5, "max_score": 1,
      "status": "failed", "name": "q", "name_format": "html", "number": "1.2", "output": "x",
      "output_format": "text", "tags": ["a"], "visibility": "after_due_date", "extra_data": {}}]}"""
    assert msgspec.json.decode(results_bytes(gradescope.read_model(text.encode()))) == json.loads(
        text
    )


def test_metadata_of_any_shape_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "submission_metadata.json"
    assert read_metadata(path) == Metadata()
    odd = {"id": True, "created_at": 5, "users": [1, None], "assignment": {"total_points": "NaN"}}
    texts = ["", "{", "[]", "null", "[" * 100_000, '{"users": {"id": 1}, "assignment": []}']
    for text in (*texts, json.dumps(odd)):
        path.write_text(text)
        found = read_metadata(path)
        assert (found.created_at, found.due, found.total, found.id) == (None, None, None, "")
    at = "2026-10-25T02:30:00.123456+02:00"
    assignment = {"due_date": at, "late_due_date": None, "total_points": "20.0"}
    about = {"id": 7, "created_at": at, "assignment_id": 1, "previous_submissions": [{}, {}]}
    users = [{"id": 1, "name": "Ann\x1b", "email": "a@b"}, {"name": "B\nC"}]
    path.write_text(json.dumps({**about, "assignment": assignment, "users": users}))
    found = read_metadata(path)
    assert found.created_at == datetime(2026, 10, 25, 0, 30, 0, 123456, UTC) == found.due
    assert found.users == ("a@b", "B C") and found.total == 20 and found.earlier == 2


# ---------------------------------------------------------------- against the clock


SUBMISSION = Submission("a.ipynb", "0", ())
NOWHERE = Located((), {})


class Board:
    """Posts nothing: a grade is the word that it was judged with."""

    def __init__(self) -> None:
        self.left = 60.0
        self.case = SimpleNamespace(left=lambda: self.left)

    def graded(self, verdicts: Any, run: Any) -> Any:
        return verdicts

    def tell(self, verdicts: Any, run: Any) -> None: ...


def begun() -> tuple[WatchedGrading, Any, Any]:
    """One whole run: judged, then explained."""
    board, runner = Board(), SimpleNamespace(located=None, tell=None)
    watcher = WatchedGrading(board, "a.ipynb", runner)  # type: ignore[arg-type]
    run: Any = None
    watcher.begins(SUBMISSION, NOWHERE)
    assert runner.tell == board.tell
    for word in ("judged", "explained"):
        watcher.judged(word, run)  # type: ignore[arg-type]
        assert watcher.first == word
    return watcher, board, runner


def test_another_run_is_not_begun_with_too_little_time() -> None:
    watcher, board, _ = begun()
    board.left = LEAST_S - 1
    with pytest.raises(NoTimeLeft):
        watcher.begins(SUBMISSION, NOWHERE)
    assert watcher.first == "explained"


def test_another_run_that_ends_too_late_does_not_count() -> None:
    watcher, board, runner = begun()
    watcher.begins(SUBMISSION, NOWHERE)
    assert runner.tell is None  # what the first run came to stays posted
    other: Any = "another"
    watcher.judged(other, None)  # type: ignore[arg-type]
    board.left = 0.0
    with pytest.raises(NoTimeLeft):
        watcher.judged(other, None)  # type: ignore[arg-type]
    assert watcher.first == "explained"
