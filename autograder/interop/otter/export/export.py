"""One of our assignments as an otter-grader assignment: what `autograder package otter` writes.

    autograder.zip      all tests and the reference's answers: for trusted machines only
    requirements.txt    what a machine needs to grade with it
    student/            the notebook, the tests of the public checks and the public evidence

Covered: equal assignments and seeds give equal files, except for the processor time of the solution
in speed checks; student/ contains nothing about hidden checks.
Not covered: keeping autograder.zip from students; it contains all answers, but no solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from autograder.assignment.kinds import BY_HAND, Check
from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment, Exercise, thousandths
from autograder.assignment.packages import TORCH
from autograder.assignment.pretrained import Offer, prepare
from autograder.authoring.packages.wheels import NAME as STUDENT_WHEEL
from autograder.authoring.packages.wheels import grader_wheel
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import Report, read_solution
from autograder.classroom.personal_values import refuse_personal
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import SpecError
from autograder.evidence.records import TimeSpent
from autograder.execution.engines.base import Engine
from autograder.files import scratch_folder
from autograder.gradebook.grade import as_points
from autograder.grading.context import PreparedClass
from autograder.interop.otter.export.archive import archive_files, environment_needs, zip_bytes
from autograder.interop.otter.export.notebook import student_notebook
from autograder.interop.otter.export.plugin import MODELS
from autograder.judging.checks.registry import every_probe
from autograder.notebook.structure.outline import outline_of
from autograder.notebook.template.release import read_template
from autograder.student.cases import CHECKS, EveryCheck
from autograder.student.public_evidence import FILE, FORMAT, LaterChecks, PublicExercise
from autograder.wire.messages import Call, Outcome

_HEAD = """OK_FORMAT = False

from otter.test_files import test_case

from autograder.student.cases import Cases

name = {name}
cases = Cases({assignment}, name)
"""
_CASE = """

@test_case(
    name={title},
    points={points},
    hidden={hidden},
    failure_message={hint},
)
def test_{number}(env):
    cases.passes({check}, env)
"""


@dataclass(frozen=True, slots=True)
class OtterAssignment:
    """Files by name, relative to the output folder, and notes for the instructor."""

    files: Mapping[str, bytes]
    notes: tuple[str, ...]


def otter_assignment(
    loaded: Loaded, engine: Engine, report: Report, *, seed: int, require: str = "weak"
) -> OtterAssignment:
    """Run the solution and make everything.

    ``seed``: of the hidden inputs, which are the same for all submissions and every run.
    ``require``: the minimum isolation on the machine that grades. Raises ``SpecError`` when the
    solution fails or the assignment has not been released, and ``SandboxError``.
    """
    refuse_personal(loaded, "by otter")
    spec, offer = loaded.spec, prepare(loaded)
    if spec.brought is not None:
        raise SpecError(
            [f"{spec.id} was imported from {spec.brought.tool}; use its original files there"]
        )
    public = loaded.folder / FILE
    if not public.is_file():
        raise SpecError([f"{public}: does not exist; run `autograder release {spec.id}`"])
    template = read_template(loaded.solution, spec)
    with scratch_folder() as kept, box_for(loaded, offer, require="weak") as box:
        context = make_context(loaded, offer, box, seed=seed, draw=False, evidence=kept)
        prepared = prepare_reference(context, engine, report, mistakes=False)
    every = every_check(prepared, template.metadata.autograder.version)
    beside = loaded.files.contents
    files = {**beside, CHECKS: msgspec.msgpack.encode(every), **dict(_models(offer))}
    wheel = grader_wheel()
    archive = archive_files(
        tests=test_files(every.whole(), hidden=True),
        files=files,
        wheel=wheel,
        packages=every.packages,
        require=require,
    )
    tests = test_files(spec, hidden=False)
    tested = {name.removesuffix(".py") for name in tests}
    made = {
        "autograder.zip": zip_bytes(archive),
        wheel[0]: wheel[1],
        "requirements.txt": environment_needs(wheel[0], every.packages),
        f"student/{spec.id}.ipynb": student_notebook(template, spec, tested),
        f"student/{spec.id}.agw": public.read_bytes(),
        **{f"student/tests/{name}": data for name, data in tests.items()},
        **{f"student/{name}": data for name, data in loaded.files.contents.items()},
    }
    return OtterAssignment(made, tuple(_notes(prepared, every)))


def every_check(prepared: PreparedClass, version: str) -> EveryCheck:
    """All checks available in the sandbox, with the reference's answers and their cost."""
    context = prepared.context
    loaded, cases = context.loaded, context.cases
    there = [e for e in loaded.spec.exercise if e.id not in context.unavailable]
    outcomes: dict[str, Outcome] = {}
    spent: dict[str, TimeSpent] = {}
    for exercise in there:
        for check in exercise.check:
            if check.kind in BY_HAND:
                continue  # the solution's own words
            for probe in every_probe(check, exercise.id, cases):
                record = prepared.expected.probe(probe.id)
                if record is None or record.claim is None:
                    continue
                outcomes[probe.id] = record.claim
                if isinstance(probe.request, Call) and probe.request.discard:
                    spent[probe.id] = record.spent
    relations = loaded.folder / "checks.py"
    return EveryCheck(
        format=FORMAT,
        assignment=loaded.spec.id,
        title=loaded.spec.title,
        version=version,
        limits=loaded.spec.limits.model_dump(mode="json", exclude_defaults=True),
        exercises=tuple(_exercise(exercise, loaded.spec.model) for exercise in there),
        relations=relations.read_text(encoding="utf-8") if relations.is_file() else "",
        outline=outline_of(read_solution(loaded), loaded.spec),
        cases={name: cases[name] for name in sorted(cases)},
        outcomes=dict(sorted(outcomes.items())),
        order=loaded.spec.notebook.order,
        seed=context.seed,
        spent=dict(sorted(spent.items())),
        packages=tuple(sorted({*loaded.packages, *(p for e in there for p in e.requires)})),
        torch=TORCH in loaded.packages,
        files=loaded.files.contents,
    )


def _exercise(exercise: Exercise, model: str) -> PublicExercise:
    checks = tuple(
        {"kind": check.kind, **check.model_dump(mode="json", exclude_defaults=True)}
        for check in exercise.check
    )
    return PublicExercise(
        exercise.id,
        exercise.title,
        exercise.defines,
        exercise.stretch,
        checks,
        LaterChecks(),
        model if exercise.requires else "",
    )


def _models(offer: Offer) -> Iterator[tuple[str, bytes]]:
    """The files of the pretrained models, by name in the zip's files/ folder."""
    if offer.folder is not None:
        for path in sorted(offer.folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(offer.folder).as_posix()
                yield f"{MODELS}/{name}", path.read_bytes()


def _notes(prepared: PreparedClass, every: EveryCheck) -> Iterator[str]:
    spec, there = prepared.context.loaded.spec, {e.id for e in every.exercises}
    yield "autograder.zip contains the answers to all hidden checks: keep it on trusted machines."
    yield f"Students need student/ and the package {STUDENT_WHEEL}: `autograder release --package`."
    for exercise in spec.exercise:
        if exercise.id not in there:
            yield f"{exercise.id}: left out; this machine lacks {', '.join(exercise.requires)}."
        elif not any(asked(check, hidden=True) for check in exercise.check):
            yield f"{exercise.id}: graded by hand; otter gives it no points."
        elif any(check.kind in BY_HAND for check in exercise.check):
            yield f"{exercise.id}: its manually graded answers have no points in otter."
        if exercise.stretch and exercise.id in there:
            yield f"{exercise.id}: its points are a bonus here; otter adds them to the maximum."


def test_files(assignment: Assignment, *, hidden: bool) -> Mapping[str, bytes]:
    """A file by name for each exercise that has checks to test; without ``hidden``, only public
    checks. Manually graded exercises have none. Only ASCII, because otter reads the files in the
    machine's own encoding."""
    found = {
        exercise.id: [check for check in exercise.check if asked(check, hidden=hidden)]
        for exercise in assignment.exercise
    }
    return {
        f"{exercise.id}.py": _file(assignment.id, exercise, found[exercise.id])
        for exercise in assignment.exercise
        if found[exercise.id]
    }


def asked(check: Check, *, hidden: bool) -> bool:
    """Whether otter tests this check."""
    return check.kind not in BY_HAND and (check.public or hidden)


def _file(assignment: str, exercise: Exercise, checks: Sequence[Check]) -> bytes:
    head = _HEAD.format(name=ascii(exercise.id), assignment=ascii(assignment))
    cases = (_case(number, check) for number, check in enumerate(checks, 1))
    return (head + "".join(cases)).encode("ascii")


def _case(number: int, check: Check) -> str:
    return _CASE.format(
        number=number,
        title=ascii(check.title),
        points=as_points(thousandths(check.points)),
        hidden=not check.public,
        hint=ascii(check.hint or None),
        check=ascii(check.id),
    )
