"""One grade as results.json: what the student's feedback says, by the policy for hidden checks.

Covered: with any policy but "summary" the text above the tests does not mention points, because
Gradescope then hides the total; tests that the grader could not grade have no score and say so.
Not covered: what an instructor shows by hand in Gradescope's own settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from msgspec import UNSET

from autograder.gradebook.rounding import number, written, written_points
from autograder.gradebook.visible import one_line, visible
from autograder.interop.exports.lines import TestLine, amounts, lines_of, outcome
from autograder.interop.gradescope.results import Results, ResultTest, Visibility
from autograder.interop.gradescope.settings import Hidden
from autograder.reports.feedback.feedback import Feedback
from autograder.reports.feedback.words import plural

MAX_OUTPUT = 20_000  # characters of one output

UNFINISHED = (
    "The grader did not finish. The results so far are shown below; tests that were not reached "
    "have 0 points so far. Submit again, or contact your instructor."
)
OUR_FAULT = (
    "This could not be graded, through no fault of yours. The 0 above is not a grade: contact "
    "your instructor, who can run the grader again."
)
PARTLY_OURS = (
    "Some tests could not be graded, through no fault of yours. They have no score below, and the "
    "total is not final: contact your instructor, who can run the grader again."
)
_SHOWN: Mapping[Hidden, Visibility] = MappingProxyType(
    {
        "summary": "visible",
        "hidden": "hidden",
        "after_due_date": "after_due_date",
        "after_published": "after_published",
    }
)


@dataclass(frozen=True, slots=True)
class GradeCircumstances:
    """What is reported with a grade. ``penalty``: thousandths that lateness costs. ``finished``:
    False while the grader is still working. ``extra`` is kept by Gradescope and not shown."""

    hidden: Hidden = "summary"
    finished: bool = True
    seconds: float = 0.0
    penalty: int = 0
    late_days: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)


def told(feedback: Feedback, beside: GradeCircumstances) -> Results:
    """The results of a submission, from its feedback."""
    lines = lines_of(feedback)
    if feedback.status == "rejected" or not feedback.exercises:
        return _without_tests(feedback, beside)
    total = max(0, _total(feedback) - beside.penalty)
    tests = [*_tests(lines, beside.hidden), *_by_hand(feedback)]
    said = [*_above(feedback, beside, total), *feedback.repairs]
    return _results(said, tests, total, beside)


def nothing_told(text: str, possible: int, beside: GradeCircumstances) -> Results:
    """Results of a submission without feedback; ``text`` says why. ``possible``: thousandths."""
    test = ResultTest(
        name="Grading",
        number="1",
        score=0,
        max_score=number(possible),
        status="failed",
        output=_output((text,)),
        visibility="visible",
    )
    return _results((text,), [test], 0, beside)


def _without_tests(feedback: Feedback, beside: GradeCircumstances) -> Results:
    rejected = feedback.status == "rejected"
    said = (feedback.reason, feedback.remedy) if rejected else (OUR_FAULT,)
    test = ResultTest(
        name="Your notebook can be read" if rejected else "Grading",
        number="1",
        score=0 if rejected else UNSET,
        max_score=number(feedback.max_score),
        status="failed" if rejected else UNSET,
        output=_output(said),
        visibility="visible",
    )
    return _results(said, [test], 0, beside)


def _results(
    said: Sequence[str], tests: Sequence[ResultTest], total: int, beside: GradeCircumstances
) -> Results:
    return Results(
        score=number(total),
        execution_time=round(beside.seconds, 1),
        output=_output(said),
        output_format="text",
        test_output_format="text",
        test_name_format="text",
        visibility="visible",
        stdout_visibility="hidden",
        tests=tuple(tests),
        extra_data=dict(beside.extra),
    )


def _total(feedback: Feedback) -> int:
    """What was earned so far, stretch exercises included; what has no score adds nothing."""
    return sum(score or 0 for score in _scores(feedback))


def _scores(feedback: Feedback) -> tuple[int | None, ...]:
    """The scores of all public checks, and of each exercise's hidden ones together."""
    return tuple(
        part.score
        for exercise in feedback.exercises
        for part in (*exercise.public, *((exercise.hidden,) if exercise.hidden else ()))
    )


def _tests(lines: Sequence[TestLine], hidden: Hidden) -> list[ResultTest]:
    tests = []
    for place, (line, (score, maximum)) in enumerate(zip(lines, amounts(lines), strict=True), 1):
        passed = outcome(line)
        tests.append(
            ResultTest(
                name=one_line(line.name),
                number=str(place),
                # What our side could not grade has no score on Gradescope.
                score=UNSET if score is None else number(score),
                max_score=UNSET if maximum is None else number(maximum),
                status=UNSET if passed is None else "passed" if passed else "failed",
                output=_output((line.output,)),
                visibility=_SHOWN[hidden] if line.hidden else "visible",
            )
        )
    return tests


def _by_hand(feedback: Feedback) -> list[ResultTest]:
    """Answers to be graded by hand, as text only: the grader gives no points for them."""
    count = sum(exercise.by_hand for exercise in feedback.exercises)
    if not count:
        return []
    text = (
        f"{plural(count, 'answer')}, worth up to {written_points(feedback.manual_max)}, not "
        "included in the total here."
    )
    # Points of a person are no maximum of the grader's on Gradescope.
    return [ResultTest(name="Answers graded by hand", output=text, visibility="visible")]


def _above(feedback: Feedback, beside: GradeCircumstances, total: int) -> list[str]:
    """The text above the tests."""
    open_ = beside.hidden == "summary"  # a policy that hides tells no points above the tests
    said = [] if beside.finished else [UNFINISHED]
    if feedback.status == "ungraded":
        some = any(score is not None for score in _scores(feedback))
        # A zero of ours is called none on Gradescope.
        said.append(PARTLY_OURS if some else OUR_FAULT)
    if open_:
        final = beside.finished and feedback.status == "graded"
        words = "points" if final else "points so far"
        said.append(f"{written(total)} of {written(feedback.max_score)} {words}.")
    if beside.penalty and open_:
        said.append(f"Late penalty: {written_points(beside.penalty)}, already deducted above.")
    elif beside.late_days:
        said.append(
            f"Late by {plural(beside.late_days, 'started day')}; a penalty may be deducted."
        )
    return said


def _output(said: Sequence[str]) -> str:
    text = "\n".join(visible(part) for part in said if part)
    return text if len(text) <= MAX_OUTPUT else f"{text[:MAX_OUTPUT]} ..."
