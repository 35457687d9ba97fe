"""A standing as its student reads it: the score, what was added and deducted, and comments.

Covered: the instructor's note is left out; comments are bounded and hidden characters in them
are written out. Not covered: what an instructor writes into a comment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import msgspec

from autograder.gradebook.grade import as_points
from autograder.gradebook.standing import ExerciseStanding, Standing, State
from autograder.gradebook.visible import visible
from autograder.reports.feedback.feedback import Feedback
from autograder.reports.feedback.words import amount, plural

TEXT_LIMIT = 4_000
COMMENTS = 20
_WORDS: dict[State, str] = {
    "final": "Final score",
    "open": "Not final yet",
    "absent": "Not submitted",
    "excused": "Excused: not counted in any total",
    "rejected": "Not accepted",
    "ungraded": "Not graded yet",
}


class StandingView(msgspec.Struct, frozen=True):
    """What a page shows of a standing.

    ``score`` and ``max_score`` are thousandths; ``lines`` are pairs of a word and an amount;
    ``by_hand`` holds the points given by hand and ``of_exercises`` the points that count, both by
    exercise id. ``as_computed``: there is no override. ``comments_of``: comments on exercises.
    ``replaced``: the points in the panels of exercises where a score set by hand counts instead.
    """

    word: str
    score: int | None
    max_score: int
    lines: tuple[tuple[str, str], ...]
    by_hand: dict[str, str]
    of_exercises: dict[str, str]
    as_computed: bool
    sentences: tuple[str, ...]
    comments: tuple[str, ...]
    comments_of: dict[str, tuple[str, ...]] = {}
    replaced: dict[str, str] = {}


def counted(standing: Standing, feedback: Feedback, beside: Collection[str] = ()) -> StandingView:
    """The standing in words for its student. ``beside``: exercises that have a place on the page
    for the comments on them."""
    own = [exercise for exercise in standing.exercises if exercise.id in beside]
    placed = Counter(text for exercise in own for text in exercise.comments)
    return StandingView(
        _WORDS[standing.state],
        standing.score,
        standing.max_score,
        tuple(_lines(standing)),
        dict(_by_hand(standing, feedback)),
        {exercise.id: _of_exercise(exercise) for exercise in standing.exercises},
        not standing.overridden and not any(exercise.overridden for exercise in standing.exercises),
        tuple(_sentences(standing)),
        _comments(tuple((Counter(standing.comments) - placed).elements())),
        {one.id: _comments(one.comments) for one in own if any(map(str.strip, one.comments))},
        dict(_replaced(standing, feedback)),
    )


def _comments(comments: Sequence[str]) -> tuple[str, ...]:
    return tuple(_bounded(comment) for comment in comments[:COMMENTS] if comment.strip())


def late_words(seconds: int) -> str:
    """A duration such as ``1 day 3 hours``: its two largest parts, at least one minute."""
    minutes = max(seconds // 60, 1)
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    said = [plural(count, word) for count, word in parts if count]
    return " ".join(said[:2])


def _lines(standing: Standing) -> Iterator[tuple[str, str]]:
    if standing.overridden:
        return  # the sum no longer explains the score
    if standing.automatic is not None:
        replaced = sum(
            exercise.automatic or 0 for exercise in standing.exercises if exercise.overridden
        )
        # Points of checks that an override replaces are in no sum on the page.
        yield "Checks", _points(standing.automatic - replaced)
    for exercise in standing.exercises:
        if exercise.overridden:
            yield f"Set by hand: {visible(exercise.title)}", f"+{_points(exercise.score)}"
    if standing.manual:
        yield "Graded by hand", f"+{_points(standing.manual)}"
    if standing.extra:
        yield "Extra", f"{'+' if standing.extra > 0 else '−'}{_points(abs(standing.extra))}"
    if standing.penalty:
        yield f"Late by {late_words(standing.late_s)}", f"−{_points(standing.penalty)}"


def _by_hand(standing: Standing, feedback: Feedback) -> Iterator[tuple[str, str]]:
    """The points given for written answers, in each exercise that has some."""
    known = {exercise.id: exercise for exercise in feedback.exercises}
    for exercise in standing.exercises:
        told = known.get(exercise.id)
        most = exercise.max_score - told.max_score if told is not None else 0
        if told is None or most <= 0 or exercise.overridden:
            continue
        if exercise.waiting:
            yield (
                exercise.id,
                f"{_points(exercise.manual)} so far" if exercise.manual else "not graded yet",
            )
        elif exercise.score is not None:
            yield exercise.id, amount(exercise.manual, most)


def _replaced(standing: Standing, feedback: Feedback) -> Iterator[tuple[str, str]]:
    set_by_hand = {one.id: one for one in standing.exercises if one.overridden}
    for told in feedback.exercises:
        if (one := set_by_hand.get(told.id)) is not None:
            yield told.id, f"{amount(one.score, one.max_score)} points, set by hand"
        elif standing.overridden and told.max_score:
            yield told.id, f"{amount(told.score, told.max_score)} points from checks"


def _of_exercise(one: ExerciseStanding) -> str:
    """The points of an exercise that count, of all that it has."""
    if one.overridden:
        return f"{amount(one.score, one.max_score)}, set by hand"
    if one.waiting:
        said = f"up to {_points(one.waiting)} more pending"
        return f"{amount(one.earned, one.max_score)}, {said}" if one.earned else said
    return amount(one.score, one.max_score) if one.max_score else "–"


def overridden_words(standing: Standing) -> Iterator[str]:
    """A sentence for each override: one for the whole score, or one per exercise."""
    if standing.overridden:
        yield "This score was set by hand. It replaces the sum of the points below."
        return
    for exercise in standing.exercises:
        if exercise.overridden:
            yield (
                f"The points for \u201c{visible(exercise.title)}\u201d were set by hand: "
                f"{amount(exercise.score, exercise.max_score)}. They replace the points earned in "
                "this exercise."
            )


def _sentences(standing: Standing) -> Iterator[str]:
    yield from overridden_words(standing)
    if standing.state == "open" and standing.manual_open:
        more = more_points(standing.manual_open)
        so_far = f" You have {plural_points(standing.so_far)} so far." if standing.so_far else ""
        yield f"Up to {more}: your written answers are waiting to be graded.{so_far}"
    if standing.late_s > 0 and not standing.penalty and not standing.overridden:
        yield f"Submitted {late_words(standing.late_s)} late; no points were deducted."


def plural_points(thousandths: int) -> str:
    """``1 point``, ``2.5 points``."""
    number = as_points(thousandths)
    return f"{number} {'point' if number == 1 else 'points'}"


def more_points(thousandths: int) -> str:
    """``1 more point``, ``2.5 more points``."""
    return plural_points(thousandths).replace(" ", " more ", 1)


def _points(thousandths: int | None) -> str:
    return "–" if thousandths is None else str(as_points(thousandths))


def _bounded(text: str) -> str:
    plain = visible(text)
    return plain if len(plain) <= TEXT_LIMIT else f"{plain[:TEXT_LIMIT]} ..."
