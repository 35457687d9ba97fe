"""What the small calls in public evidence give away.

Covered: only calls that were made anew for a public check are in it, word for word, and only
answers to these. Not covered: a small call that an author wrote (``NAME_small``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from autograder.assignment.load import Cases
from autograder.assignment.model import Assignment
from autograder.authoring.small_calls import rows_of
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.diagnosis.small_calls import trials_of
from autograder.student.public_evidence import is_public


def told_by_small(data: bytes, assignment: Assignment, cases: Cases) -> Iterator[str]:
    """What small calls in public evidence give away, one sentence each."""
    trials = [
        (exercise.id, trial)
        for exercise in assignment.exercise
        for trial in trials_of(exercise, cases)
        if is_public(trial.check, exercise)
    ]
    calls = {(e, trial.check.id, _plain(rows_of(trial, cases))) for e, trial in trials}
    ids = {probe.id for _, trial in trials for probe in trial.probes}
    held = msgspec.msgpack.decode(data)
    for exercise, check, rows in held.get("small", ()):
        # Calls that are no small ones of public checks are found.
        if (exercise, check, _plain(rows)) not in calls:
            yield f"a call of '{exercise}/{check}' that is no small call of a public check"
    for id_ in held["outcomes"]:
        # Answers to small calls that no public check asks are found.
        if is_small(id_) and id_ not in ids:
            yield f"the answer to {id_!r}, which no public check asks"


def _plain(rows: Any) -> bytes:
    """Arguments as bytes, whether they were decoded into types or not."""
    return msgspec.msgpack.encode(msgspec.msgpack.decode(msgspec.msgpack.encode(rows)))
