"""One student's standing as lines of a test list, and the text above them, for platforms that show
tests. No file format is written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from autograder.errors import UsageError, did_you_mean
from autograder.gradebook.rounding import written, written_points
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.gradebook.visible import one_line, visible
from autograder.interop.exports.lines import TestLine, exercise_lines
from autograder.interop.exports.model import Options, final_score, in_order
from autograder.reports.feedback.feedback import Feedback
from autograder.reports.feedback.standing_panel import overridden_words

STATES: Mapping[str, str] = MappingProxyType(
    {
        "open": "Some answers have not been graded by hand yet.",
        "absent": "Nothing was submitted.",
        "excused": "You are excused from this assignment.",
        "rejected": "The file could not be read.",
        "ungraded": "This could not be graded, through no fault of yours.",
    }
)
SCORED = ("final", "open")  # states in which single tests show points


def one_student(form: str, standings: Sequence[Standing], options: Options) -> tuple[Standing, ...]:
    """The standing of ``options.student``; raises ``UsageError`` if there is none."""
    found = tuple(s for s in in_order(standings) if s.student == options.student)
    if not found:
        meant = did_you_mean(options.student, (s.student for s in standings))
        raise UsageError(
            f"{form}: there is no student {options.student!r}{meant}; give one of the class as "
            "--student"
        )
    return found


def standing_lines(standing: Standing, feedback: Feedback | None) -> list[TestLine]:
    """A line per test and one for manual grading; a single line if there are no details."""
    if feedback is None:
        told = STATES.get(standing.state, "There are no details.")
        whole = TestLine(one_line(standing.assignment), told)
        if standing.state not in SCORED:
            return [whole]
        return [TestLine(whole.name, told, None, final_score(standing), standing.max_score)]
    set_ = {exercise.id: exercise for exercise in standing.exercises if exercise.overridden}
    lines = []
    for exercise in feedback.exercises:
        own = exercise_lines(exercise)
        # A single test on Gradescope shows what an override set.
        if (one := set_.get(exercise.id)) is not None:
            own = [*(replace(line, score=None, max_score=None) for line in own), _set(one)]
        lines += own
    rest = standing.max_score - sum(line.max_score or 0 for line in lines)
    if rest > 0:
        lines.append(_by_hand(standing, rest))
    return lines


def _set(one: ExerciseStanding) -> TestLine:
    """The points that an override gave an exercise; for a stretch exercise, as text only."""
    told, name = "This replaces the points earned in this exercise.", f"{one.title}: set by hand"
    if one.stretch:
        told = f"Bonus: {written(one.score)} of {written(one.max_score)} points. {told}"
        return TestLine(name, told)
    return TestLine(name, told, None, one.score, one.max_score)


def _by_hand(standing: Standing, worth: int) -> TestLine:
    """The points for written answers; no score while any is waiting or was not graded by itself."""
    unread = any(exercise.score is None for exercise in standing.exercises)
    open_ = bool(standing.manual_open) or unread
    told = STATES["open"] if standing.manual_open else "Graded by hand."
    if unread and not standing.manual_open:
        told = "Some answers were not graded individually."
    bonus = sum(exercise.manual for exercise in standing.exercises if exercise.stretch)
    given = None if open_ else standing.manual - bonus
    return TestLine("Answers graded by hand", told, None, given, worth)


def said_above(standing: Standing, feedback: Feedback | None) -> str:
    """The text above the tests, without the instructor's note."""
    score = final_score(standing)
    told = []
    if score is not None:
        told.append(f"{written(score)} of {written(standing.max_score)} points.")
    else:
        told.append(STATES.get(standing.state, "There is no score."))
    if score is not None and standing.penalty:
        told.append(f"Late penalty: {written_points(standing.penalty)}.")
    if score is not None:
        told += overridden_words(standing)
    if score is not None and standing.extra:
        told.append(f"Extra points: {written(standing.extra)}.")
    if feedback is not None and feedback.status != "graded" and standing.state not in SCORED:
        told += [feedback.reason, feedback.remedy]
    told += standing.comments  # the instructor's note stays out of results.json
    return "\n".join(visible(part) for part in told if part)
