"""Whether stored public evidence agrees with what the solution answers now.

Answers recorded on one processor differ in their last digits from those of another, and after
training by more than that. They agree where the checks that compare them cannot see a difference.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

import msgspec

from autograder.assignment.kinds import Check
from autograder.authoring.validation.statement_changes import statement_changes
from autograder.judging.checks.registry import every_probe
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.student.public_evidence import PublicEvidence
from autograder.student.relations import relations_of
from autograder.student.small_trials import small_trials
from autograder.student.verdicts import expected, reference_of


def differences(stored: PublicEvidence, made: PublicEvidence) -> list[str]:
    """A clause for each thing that does not agree; none when all agrees.

    Everything but the solution's answers has to be equal. An answer agrees when every public
    check that asks for it passes within its own tolerance, the stored answers judged against the
    new ones and the new ones against the stored ones.
    """
    different = [*statement_changes(stored, made), *_changed_parts(stored, made)]
    if different:
        return different
    if _apart_from_answers(stored) != _apart_from_answers(made):
        return ["the settings have changed"]
    if set(stored.outcomes) != set(made.outcomes):
        return ["other calls are made"]
    changed = [id_ for id_ in made.outcomes if made.outcomes[id_] != stored.outcomes[id_]]
    apart = set(_told_apart(stored, made, changed)) if changed else set()
    return [f"the solution's answer to {id_} has changed" for id_ in changed if id_ in apart]


def _apart_from_answers(evidence: PublicEvidence) -> PublicEvidence:
    return msgspec.structs.replace(evidence, outcomes={}, relations="")


def _changed_parts(stored: PublicEvidence, made: PublicEvidence) -> Iterator[str]:
    if stored.assignment != made.assignment:
        yield f"it is of the assignment {stored.assignment!r}"
    for name in sorted({*stored.cases, *made.cases}):
        if stored.cases.get(name) != made.cases.get(name):
            yield f"the inputs {name!r} have changed"
    if stored.small != made.small:
        yield "the small calls have changed"
    if _tree(stored.relations) != _tree(made.relations):
        yield "the relations have changed"
    if stored.outline != made.outline or stored.version != made.version:
        yield "the template has changed"
    if stored.title != made.title:
        yield "the title has changed"


def _told_apart(
    stored: PublicEvidence, made: PublicEvidence, changed: Collection[str]
) -> Iterator[str]:
    """The ids of changed answers that some check distinguishes from the stored ones, or that no
    check compares."""
    spec = made.spec([exercise.id for exercise in made.exercises])
    passed = _passed(stored, made) & _passed(made, stored)
    sides = [
        (expected(a), reference_of(b, relations_of(b))) for a, b in ((stored, made), (made, stored))
    ]
    asked: set[str] = set()
    for exercise in spec.exercise if spec is not None else ():
        for check in exercise.check:
            ids = {p.id for p in every_probe(check, exercise.id, made.cases)} & set(changed)
            asked |= ids
            # Stored answers are judged by the checks.
            if _name(exercise.id, check) not in passed:
                yield from ids
        for trial in small_trials(made, exercise):
            ids = {probe.id for probe in trial.probes} & set(changed)
            asked |= ids
            found = {trial.look(exercise.id, *side).status for side in sides} if ids else set()
            # Stored answers to small calls are judged by their checks.
            if found - {Status.PASSED}:
                yield from ids
    # An answer that no check compares does not agree by itself.
    yield from set(changed) - asked


def _passed(actual: PublicEvidence, reference: PublicEvidence) -> set[str]:
    """The checks that answers pass when they are judged like a submission's."""
    spec = reference.spec([exercise.id for exercise in reference.exercises])
    if spec is None:
        return set()
    verdicts = judge(spec, expected(actual), reference_of(reference, relations_of(reference)))
    return {f"{v.exercise}/{v.check}" for v in verdicts if v.status is Status.PASSED}


def _name(exercise: str, check: Check) -> str:
    return f"{exercise}/{check.id}"


def _tree(source: str) -> str:
    return ast.dump(ast.parse(source))
