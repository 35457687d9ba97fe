"""A sheet for Moodle's general grade import, in which the user maps the columns by hand.

Moodle imports all of such a file or nothing, so it contains only students with a score and a key.
Moodle reads keys and feedback back: neither gets a formula guard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from autograder.errors import UsageError
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.rounding import written
from autograder.gradebook.standing import Standing
from autograder.interop.exports.keys import known_people
from autograder.interop.exports.model import (
    Exported,
    Mention,
    Options,
    final_score,
    in_order,
    why_blank,
)
from autograder.interop.exports.sheets import new_sheet
from autograder.interop.moodle.scores import comment_html

KEYS: Mapping[str, tuple[str, Callable[[Person], str]]] = MappingProxyType(
    {
        "idnumber": ("ID number", lambda person: person.id),
        "email": ("Email address", lambda person: person.email),
        "username": ("Username", lambda person: person.keys.get("username", "")),
    }
)
FEEDBACK = "Feedback comments"


def moodle_import(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """Columns: key, title of the item, and feedback if requested; UTF-8, commas.

    ``options.key`` is one of ``KEYS``; by default the ID number, which is the roster's id. A
    negative score is left out: it would abort the import.
    """
    ordered = in_order(standings)
    if options.key and options.key not in KEYS:
        raise UsageError(
            f"moodle-import: --key {options.key!r} is unknown; choose one of: {', '.join(KEYS)}"
        )
    if not options.title:
        raise UsageError("moodle-import: give the grade item's --title")
    header, key = KEYS[options.key or "idnumber"]
    known = known_people(
        ordered, roster, lambda person: (key(person),), missing=f"the roster has no {header}"
    )
    rows = [[header, options.title, *([FEEDBACK] if options.comments else [])]]
    done: list[str] = []
    blank: list[Mention] = []
    for standing in (s for s in ordered if s.student in known.people):
        score = final_score(standing)
        if score is None or score < 0:
            negative = Mention(standing.student, f"{written(score)} is negative")
            blank.append(why_blank(standing) if score is None else negative)
            continue
        done.append(standing.student)
        feedback = [comment_html(standing.comments)] if options.comments else []
        rows.append([key(known.people[standing.student]), written(score), *feedback])
    return Exported(new_sheet(rows), tuple(done), tuple(blank), known.unmatched)
