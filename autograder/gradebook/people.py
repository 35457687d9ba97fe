"""The students of a course, and the key of each on every platform."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


class Person(msgspec.Struct, frozen=True):
    """One student. ``id`` is text and is never changed: leading zeros belong to it.

    ``keys`` holds the platforms' own keys, by the names of ``KEYS``.
    """

    id: str
    name: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    section: str = ""
    keys: dict[str, str] = {}

    @property
    def full_name(self) -> str:
        """The name as the roster gives it, else first and last name, else nothing."""
        return self.name or " ".join(part for part in (self.first_name, self.last_name) if part)

    @property
    def sortable_name(self) -> str:
        """``Last, First`` where both are known, else the full name."""
        parts = [part for part in (self.last_name, self.first_name) if part]
        return ", ".join(parts) if len(parts) == 2 else self.full_name


KEYS = (
    "canvas_id",  # Canvas "ID", a number
    "sis_user_id",  # Canvas "SIS User ID"
    "sis_login_id",  # Canvas "SIS Login ID"
    "moodle_id",  # the number in Moodle's "Participant 123"
    "username",  # Blackboard, Brightspace
    "org_defined_id",  # Brightspace
    "gradescope_sid",  # Gradescope "SID"
    "lti_user_id",  # LTI: the user's "sub"
)


class Roster(msgspec.Struct, frozen=True):
    """All students of a course, in the order of the list; may be empty."""

    people: tuple[Person, ...] = ()

    def __iter__(self) -> Iterator[Person]:
        return iter(self.people)

    def __len__(self) -> int:
        return len(self.people)

    def person(self, student: str) -> Person:
        """The student with this id; a ``Person`` with only the id if it is not in the roster."""
        return next((p for p in self.people if p.id == student), Person(student))


NO_ROSTER = Roster()
