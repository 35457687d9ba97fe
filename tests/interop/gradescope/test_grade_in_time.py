"""A submission against the clock: what the first run comes to counts where there is no time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from autograder.interop.gradescope.grade_in_time import LEAST_S, NoTimeLeft, WatchedGrading
from autograder.notebook.structure.locate import Located
from autograder.notebook.submission import Submission

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
