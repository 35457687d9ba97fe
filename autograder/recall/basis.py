"""Of what a class's verdicts are functions, beside the evidence: digests that tell whether what
was found once still stands.

Whatever is not certain to be without effect is in a digest: all of the grader's own code and
every installed package in each of them, the whole solution, all inputs. A digest that changes
without need costs time; one that fails to change would cost a right verdict.
Not covered: relations that read files, or that are not functions of their arguments.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import TypeVar

import msgspec

from autograder.evidence import key_of, versions
from autograder.jobs import make_job
from autograder.notebook.outline import outline_of
from autograder.notebook.submission import Submission
from autograder.sandbox.run import Run
from autograder.setting import Setting
from autograder.spec.kinds import RelationCheck, TrainingCheck
from autograder.wire.types import resolved

T = TypeVar("T", bound=msgspec.Struct)

PACKAGE = Path(__file__).resolve().parents[1]
SIZE = 16  # bytes of a digest


@dataclass(frozen=True, slots=True)
class Basis:
    """Digests, by which one thing is known to be as it was.

    ``asked``: where exercises are found and what is asked of them; with ``titles``, what is told
    of it. ``checks``: what a check ("exercise/check") finds in an answer. ``exercises``: what is
    told of an exercise's wrong answers. ``page``: how a grade becomes a page.
    """

    asked: bytes
    titles: bytes
    checks: Mapping[str, bytes]
    exercises: Mapping[str, bytes]
    page: bytes


def basis_of(
    setting: Setting, solution: Submission, expected: Run, mistakes: Iterable[tuple[str, object]]
) -> Basis:
    """The digests of one setting. ``mistakes``: those known, with their exercises."""
    spec = setting.loaded.spec
    code = code_digest()
    empty, _ = make_job(setting, msgspec.structs.replace(solution, cells=()))
    asked = digest(
        code, key_of(empty), spec.id, spec.notebook.order, outline_of(solution, spec),
        setting.released, setting.devices, sorted(setting.unavailable),
        [(e.id, e.defines, e.requires) for e in spec.exercise],
    )  # fmt: skip
    common = digest(code, setting.cases, as_stored(expected), asked)
    relations = _file(setting.loaded.folder / "checks.py")
    checks = {
        f"{e.id}/{c.id}": digest(
            common, c.model_dump_json(),
            relations if isinstance(c, RelationCheck | TrainingCheck) else b"",
        )
        for e in spec.exercise
        for c in e.check
    }  # fmt: skip
    bank = list(mistakes)
    known = digest(solution)
    exercises = {
        e.id: digest(
            e.model_dump_json(), known, [checks[f"{e.id}/{c.id}"] for c in e.check], relations,
            [said for exercise, said in bank if exercise == e.id],
        )
        for e in spec.exercise
    }  # fmt: skip
    titles = digest([(e.id, e.title) for e in spec.exercise])
    shown = [(e.id, c.id, c.public) for e in spec.exercise for c in e.check]
    return Basis(asked, titles, checks, exercises, digest(code, spec.title, shown))


def as_stored(what: T) -> T:
    """The same as it is once it has been written and read: an integer in a place of a float is
    a float then."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(what), type=resolved(type(what)))


def digest(*parts: object) -> bytes:
    """A digest of plain data: structs, dataclasses, containers, text."""
    whole = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else msgspec.msgpack.encode(part)
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()[:SIZE]


def code_digest() -> bytes:
    """Of all files of the grader, of Python and of every installed package."""
    files = (path for path in sorted(PACKAGE.rglob("*")) if path.suffix != ".pyc")
    own = [(str(path.relative_to(PACKAGE)), _file(path)) for path in files]
    others = sorted(f"{one.name} {one.version}" for one in distributions())
    return digest(own, others, sys.version, sorted(versions().items()))


def _file(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""
