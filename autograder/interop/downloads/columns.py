"""Which column of a roster contains what, by the headers that people and platforms write.

Headers are compared without case, spaces, underscores and other signs. A sheet is recognized as
Canvas', Moodle's, Blackboard's or Brightspace's by columns that only it has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from autograder.interop.downloads.names import folded

Origin = Literal["canvas", "moodle", "blackboard", "brightspace", "gradescope", "own"]

_ID_NUMBER = ("idnumber", "idnummer", "numerodidentification", "numerodeid")  # Moodle's
# field -> headers; the first one present counts
_ALIASES: dict[str, tuple[str, ...]] = {
    "id": (
        "id",
        "studentid",
        "studentnumber",
        "studentno",
        "matriculationnumber",
        "matrikelnummer",
        "student",
        "sid",
        *_ID_NUMBER,
        "uid",
    ),
    "name": (
        "name",
        "fullname",
        "studentname",
        "displayname",
        "vollstandigername",
        "nomcomplet",
        "nombrecompleto",
        "nomecompleto",
        "volledigenaam",
    ),
    "first_name": ("firstname", "givenname", "forename", "first", "vorname"),
    "last_name": ("lastname", "surname", "familyname", "last", "nachname"),
    "email": (
        "email",
        "emailaddress",
        "mail",
        "sisemail",
        "emails",
        "emailadresse",
        "adressedecourriel",
        "direcciondecorreo",
        "correoelectronico",
    ),
    "role": ("role",),
    "section": ("section", "sections", "group", "groups", "team"),
    "canvas_id": ("canvasid", "canvasuserid"),
    "sis_user_id": ("sisuserid", "sisid"),
    "sis_login_id": ("sisloginid", "loginid", "login"),
    "moodle_id": ("moodleid", "participantid", "identifier"),
    "username": ("username", "user"),
    "org_defined_id": ("orgdefinedid",),
    "gradescope_sid": ("gradescopesid", "sid"),
    "lti_user_id": ("ltiuserid", "lmsuserid"),
}

# origin -> the fields that an id is taken from, in this order, if the sheet has no other
_IDS: Mapping[Origin, tuple[str, ...]] = MappingProxyType(
    {
        "canvas": ("sis_user_id", "sis_login_id", "canvas_id"),
        "moodle": ("id", "username", "email", "moodle_id"),
        "blackboard": ("id", "username"),
        "brightspace": ("org_defined_id", "username"),
        "gradescope": ("gradescope_sid", "email"),
        "own": ("id",),
    }
)
_LAST_RESORT = (
    "sis_user_id",
    "sis_login_id",
    "org_defined_id",
    "username",
    "canvas_id",
    "moodle_id",
)
_ALL = {alias for aliases in _ALIASES.values() for alias in aliases}
_IDENTIFIER = re.compile(r"\s*([^\W\d][^\d@]{7,})[0-9]+\s*")
_OURS = {"canvasid", "studentid", "studentnumber"}  # headers that Canvas' own sheet never has


@dataclass(frozen=True, slots=True)
class Columns:
    """``places``: the column (from 0) of each field. ``ids``: the fields that an id is taken from,
    the first that is not empty in a row."""

    origin: Origin
    places: Mapping[str, int]
    ids: tuple[str, ...]

    def cell(self, cells: Sequence[str], name: str) -> str:
        """A field of a row without the spaces around it; "" if there is no such column."""
        place = self.places.get(name, -1)
        return cells[place].strip() if 0 <= place < len(cells) else ""


def find_columns(header: Sequence[str], first: Sequence[str] = ()) -> Columns:
    """What the columns of a sheet hold; ``ids`` is empty if nothing can serve as an id.

    ``first`` are the cells below the first header: if each is a word and a number, as in a Moodle
    worksheet of any language, they are Moodle's identifiers.
    """
    known: dict[str, int] = {}
    for place, title in enumerate(header):
        known.setdefault(folded(title.partition("<")[0]), place)
    words = {match and match[1] for match in map(_IDENTIFIER.fullmatch, first)}
    if len(words) == 1 and None not in words and folded(header[0]) not in _ALL:
        known = {"identifier": 0} | known
    origin = _origin(header, known)
    places = {
        name: next(known[alias] for alias in aliases if alias in known)
        for name, aliases in _ALIASES.items()
        if any(alias in known for alias in aliases)
    }
    if origin == "canvas":
        places["canvas_id"] = known["id"]
        places.pop("id", None)
        if "student" in known:
            places["name"] = known["student"]
    if origin != "gradescope" and "gradescopesid" not in known:
        places.pop("gradescope_sid", None)
    ids = tuple(name for name in _IDS[origin] if name in places)
    return Columns(origin, places, ids or tuple(name for name in _LAST_RESORT if name in places))


def _origin(header: Sequence[str], known: Mapping[str, int]) -> Origin:
    spelled = {"SIS User ID", "SIS Login ID", "Integration ID"} & {t.strip() for t in header}
    names = {"firstname", "lastname"} & set(known) or {"surname"} & set(known)
    if "id" in known and ("student" in known or spelled) and not _OURS & set(known):
        return "canvas"
    if "identifier" in known or (set(_ID_NUMBER) & set(known) and "id" not in known):
        return "moodle"
    if {"id", "student", "studentnumber"} & set(known):
        return "own"
    if "orgdefinedid" in known or "endoflineindicator" in known:
        return "brightspace"
    if "username" in known and names:
        return "blackboard"
    if "sid" in known and "studentid" not in known:
        return "gradescope"
    return "moodle" if "emailaddress" in known and names else "own"
