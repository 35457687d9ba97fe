"""The secret of a course, from which each student's own values are drawn.

::

    solutions/personal.secret    the secret, and a digest of the values that each student was given

HMAC-SHA256 of the assignment, the generator and the student's id, keyed by the secret, is the seed:
whoever lacks the secret can compute neither another student's values nor those of a later
assignment. An assignment that has its solution in its own folder has this file there, too.

Covered: ids that are spelled alike except for how Unicode composes their letters (they are one id);
another secret, or an inputs.py or NumPy that makes other values than the student was given. Not
covered: whoever can read this file.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from autograder.assignment.load import Loaded, OwnValues, cases_from, own_values
from autograder.errors import StoreError, UsageError
from autograder.files import write_atomic
from autograder.wire.types import resolved

FILE = "personal.secret"
FORMAT: Literal["autograder-secret/1"] = "autograder-secret/1"
SECRET_BYTES = 32
GIVE_OUT = "autograder release {id} --roster ROSTER.csv --personal FOLDER"


class CourseSecret(msgspec.Struct, frozen=True):
    """The secret (hexadecimal), and for each assignment the digests of what students were given."""

    format: Literal["autograder-secret/1"]
    secret: str
    given: dict[str, dict[str, str]] = {}

    def values(self, loaded: Loaded, student: str) -> OwnValues:
        """The student's own values, drawn now. Raises ``SpecError``."""
        names = dict.fromkeys(e.personal for e in loaded.spec.exercise if e.personal)
        seeds = {name: self.seed(loaded.spec.id, name, student) for name in names}
        return own_values(loaded, cases_from(loaded, seeds))

    def students(self, assignment: str) -> tuple[str, ...]:
        """Everybody who was given values."""
        return tuple(self.given.get(assignment, ()))

    def digest(self, assignment: str, student: str) -> str:
        """The digest of what a student was given; empty for nothing."""
        return self.given.get(assignment, {}).get(composed(student), "")

    def seed(self, assignment: str, generator: str, student: str) -> int:
        """The seed of a generator for a student, 256 bits."""
        fields = [
            composed(part).encode("utf-8", "surrogatepass")
            for part in (assignment, generator, student)
        ]
        message = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
        key = bytes.fromhex(self.secret)
        return int.from_bytes(hmac.new(key, message, hashlib.sha256).digest(), "big")


def composed(student: str) -> str:
    """The id in the form in which it is recorded: composed Unicode."""
    return unicodedata.normalize("NFC", student)


def digest_of(values: OwnValues) -> str:
    """A digest of a student's own values."""
    return hashlib.sha256(msgspec.msgpack.encode(values)).hexdigest()


def new_secret() -> CourseSecret:
    """A secret that nobody was given anything from."""
    return CourseSecret(FORMAT, secrets.token_hex(SECRET_BYTES))


def secret_path(loaded: Loaded) -> Path:
    """Where the course's secret belongs."""
    beside = loaded.solutions == loaded.folder
    return (loaded.folder if beside else loaded.solutions.parent) / FILE


def read_secret(loaded: Loaded) -> CourseSecret:
    """The course's secret. Raises ``UsageError`` if there is none, ``StoreError``."""
    path = secret_path(loaded)
    if not path.is_file():
        raise UsageError(
            f"{path} does not exist, so nobody's own values are known. Restore it if students "
            f"have their files already; else run `{GIVE_OUT.format(id=loaded.spec.id)}`, which "
            "makes it"
        )
    try:
        found = msgspec.json.decode(path.read_bytes(), type=resolved(CourseSecret))
        if len(bytes.fromhex(found.secret)) < SECRET_BYTES:
            raise ValueError("the secret is too short")
    except (OSError, ValueError, msgspec.MsgspecError) as bad:
        raise StoreError(f"{path}: cannot be read ({bad}); restore it") from None
    return found


def give(loaded: Loaded, students: Iterable[str]) -> tuple[Mapping[str, OwnValues], int]:
    """Draw the values of these students and record that they were given; makes the secret if there
    is none. Returns the values, and how many students were given others before.

    Raises ``UsageError``, ``SpecError``, ``StoreError``.
    """
    path, assignment = secret_path(loaded), loaded.spec.id
    secret = read_secret(loaded) if path.exists() else new_secret()
    values: dict[str, OwnValues] = {}
    for student in map(composed, students):
        if student in values:
            raise UsageError(f"the id {student!r} is in the roster twice; give each its own id")
        values[student] = secret.values(loaded, student)
    before = secret.given.get(assignment, {})
    now = {student: digest_of(own) for student, own in values.items()}
    changed = sum(before.get(student, digest) != digest for student, digest in now.items())
    given = {**secret.given, assignment: {**before, **now}}
    kept = msgspec.json.encode(msgspec.structs.replace(secret, given=given))
    write_atomic(path, kept, private=True)  # the secret is for the user alone
    return values, changed


def refuse_personal(loaded: Loaded, where: str) -> None:
    """Raise ``UsageError`` where nobody knows whose a submission is: it could not be compared with
    the right values."""
    if loaded.spec.personal:  # personal values where nobody has an id
        raise UsageError(
            f"{loaded.spec.id} has exercises with values of a student's own "
            f"({', '.join(sorted(loaded.spec.personal))}) and cannot be graded {where}; use "
            "`autograder grade`"
        )
