"""An exercise's checks as a test file of otter: exception-based, one test case for each check.

The cases call ``autograder.student.cases``; the file contains no answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.assignment.kinds import BY_HAND, Check
from autograder.assignment.model import Assignment, Exercise, thousandths
from autograder.gradebook.grade import as_points

_HEAD = """OK_FORMAT = False

from otter.test_files import test_case

from autograder.student.cases import Cases

name = {name}
cases = Cases({assignment}, name)
"""
_CASE = """

@test_case(
    name={title},
    points={points},
    hidden={hidden},
    failure_message={hint},
)
def test_{number}(env):
    cases.passes({check}, env)
"""


def test_files(assignment: Assignment, *, hidden: bool) -> Mapping[str, bytes]:
    """A file by name for each exercise that has checks to test; without ``hidden``, only public
    checks. Manually graded exercises have none. Only ASCII, because otter reads the files in the
    machine's own encoding."""
    found = {
        exercise.id: [check for check in exercise.check if asked(check, hidden=hidden)]
        for exercise in assignment.exercise
    }
    return {
        f"{exercise.id}.py": _file(assignment.id, exercise, found[exercise.id])
        for exercise in assignment.exercise
        if found[exercise.id]
    }


def asked(check: Check, *, hidden: bool) -> bool:
    """Whether otter tests this check."""
    return check.kind not in BY_HAND and (check.public or hidden)


def _file(assignment: str, exercise: Exercise, checks: Sequence[Check]) -> bytes:
    head = _HEAD.format(name=ascii(exercise.id), assignment=ascii(assignment))
    cases = (_case(number, check) for number, check in enumerate(checks, 1))
    return (head + "".join(cases)).encode("ascii")


def _case(number: int, check: Check) -> str:
    return _CASE.format(
        number=number,
        title=ascii(check.title),
        points=as_points(thousandths(check.points)),
        hidden=not check.public,
        hint=ascii(check.hint or None),
        check=ascii(check.id),
    )
