"""What a class's verdicts depend on besides the answers: digests that show whether an earlier
finding is still valid.

A digest that fails to change would cost a right verdict, so each covers more than necessary: all
code that judges, the whole solution, all inputs. Other files in the code's folders are not covered,
and of packages only those that compute.
Not covered: relations that read files, that use further packages, or that are not functions of
their arguments.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from autograder.assignment.kinds import TIMED, Check, FunctionCheck, RelationCheck, TrainingCheck
from autograder.evidence.records import Run
from autograder.evidence.store import key_of, source_digest, versions
from autograder.grading.context import GradingContext
from autograder.grading.job import make_job
from autograder.judging.checks.registry import every_probe
from autograder.judging.diagnosis.case_trial import again_id
from autograder.judging.diagnosis.small_calls import small_probes
from autograder.notebook.structure.outline import outline_of
from autograder.notebook.submission import Submission
from autograder.wire.types import resolved

T = TypeVar("T", bound=msgspec.Struct)

SIZE = 16  # bytes of a digest
JUDGING = (  # the modules and packages that make a grade and its page
    "assignment",
    "classroom/known_mistakes",
    "classroom/mutant_bank",
    "classroom/regrade",
    "classroom/write_results",
    "evidence/records",
    "evidence/stops",
    "evidence/stored_run",
    "gradebook",
    "grading",
    "interop/arrange",
    "interop/nbgrader/arrange",
    "interop/otter/arrange",
    "judging",
    "mutation",
    "notebook",
    "pipeline",
    "reports",
    "sandbox",
    "wire",
)
# "elsewhere" contains other checks of the exercise
_NO_TOLERANCE = {"exercise": {"__all__": {"check": {"__all__": {"tolerance", "elsewhere"}}}}}


@dataclass(frozen=True, slots=True)
class Basis:
    """Digests that show whether something is unchanged.

    ``rest``: everything that a grade depends on besides the submission, its evidence, and what
    checks find and report. ``checks``: what determines the finding of a check ("exercise/check") in
    given answers. ``exercises``: what determines the explanation of an exercise's wrong answers.
    ``page``: how a grade becomes a page. ``probes`` are the answers that a check asks for; the
    ``timed`` ones look at their cost too. ``small``: the small calls by which an exercise's wrong
    answers may be explained.
    """

    rest: bytes
    checks: Mapping[str, bytes]
    exercises: Mapping[str, bytes]
    page: bytes
    probes: Mapping[str, frozenset[str]]
    timed: frozenset[str]
    small: Mapping[str, frozenset[str]]

    def explained_by(self, exercise: str, run: Run) -> bytes:
        """The digest of the answers to an exercise's small calls."""
        return digest([run.answer(id_) for id_ in sorted(self.small[exercise])])

    def answers(self, check: str, run: Run) -> bytes:
        """The digest of everything that a check sees of a run."""
        asked = sorted(self.probes[check])
        endings = [run.ending(id_) for id_ in asked]
        seen = [ending and (ending if check in self.timed else ending[0]) for ending in endings]
        none = [id_ for id_, ending in zip(asked, endings, strict=True) if ending is None]
        # No record is not an empty one.
        return digest([run.answer(id_) for id_ in asked], seen, none)


def basis_of(
    context: GradingContext,
    solution: Submission,
    expected: Run,
    mistakes: Iterable[tuple[str, object]],
) -> Basis:
    """The digests of one class. ``mistakes``: the known ones, with their exercises."""
    spec = context.loaded.spec
    empty, _ = make_job(context, msgspec.structs.replace(solution, cells=()))
    code = digest(source_digest(*JUDGING), sorted(versions().items()))
    rest = digest(
        code,
        key_of(empty),
        spec.model_dump_json(exclude=_NO_TOLERANCE),
        outline_of(solution, spec),
        context.released,
        context.devices,
        sorted(context.unavailable),
    )
    common = digest(code, context.cases, as_stored(expected), spec.limits.model_dump_json())
    relations = _file(context.loaded.folder / "checks.py")
    every = [(f"{e.id}/{c.id}", e, c) for e in spec.exercise for c in e.check]
    checks = {
        name: digest(
            common,
            e.id,
            c.model_dump_json(),
            [other.model_dump_json() for other in _others(c)],
            relations if isinstance(c, RelationCheck | TrainingCheck) else b"",
        )
        for name, e, c in every
    }
    bank, known = list(mistakes), digest(solution)
    exercises = {
        e.id: digest(
            e.model_dump_json(),
            known,
            [checks[f"{e.id}/{c.id}"] for c in e.check],
            relations,
            [said for exercise, said in bank if exercise == e.id],
        )
        for e in spec.exercise
    }
    asked = {
        name: frozenset(
            probe.id
            for other in (c, *_others(c))
            for probe in every_probe(other, e.id, context.cases)
        )
        for name, e, c in every
    }
    timed = frozenset(name for name, _, c in every if c.kind in TIMED)
    shown = [(e.id, c.id, c.public) for e in spec.exercise for c in e.check]
    reference = context.reference(expected)
    small = {
        e.id: frozenset(
            id_ for probe in small_probes(e, reference) for id_ in (probe.id, again_id(probe.id))
        )
        for e in spec.exercise
    }
    page = digest(code, spec.title, spec.repairs, shown, sorted(context.given))
    return Basis(rest, checks, exercises, page, asked, timed, small)


def _others(check: Check) -> tuple[Check, ...]:
    """The checks of devices and dtypes whose calls this one asks as well."""
    every = check.elsewhere if isinstance(check, FunctionCheck | RelationCheck) else ()
    return tuple(repeated.check for repeated in every)


def as_stored(what: T) -> T:
    """The data as it is after writing and reading it: an integer where a float belongs becomes a
    float."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(what), type=resolved(type(what)))


def digest(*parts: object) -> bytes:
    """A digest of plain data: structs, dataclasses, containers, text."""
    whole = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else msgspec.msgpack.encode(part)
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()[:SIZE]


def _file(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""
