"""The numbers of an assignment that students must not get: hidden inputs and their results.

Covered: arrays of numbers (at three places each) and single numbers that are not common, of
hidden generators and of the solution's answers to hidden checks, as public evidence would hold
them; names of hidden generators and ids of hidden checks in its keys; answers that only a hidden
check compares. Not covered: short whole numbers, truth values, single words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from autograder.assignment.kinds import Check
from autograder.assignment.load import SMALL, Cases
from autograder.assignment.model import Assignment
from autograder.authoring.leak_check.search import Secret, holding
from autograder.evidence.records import Run
from autograder.judging.checks.registry import probes
from autograder.student.public_evidence import PublicEvidence
from autograder.wire.messages import Outcome, Read
from autograder.wire.values import ITEMSIZE, Array

EMPTY = Outcome("returned")  # replaces an answer that is kept back in public evidence
KEPT_BACK = msgspec.msgpack.decode(msgspec.msgpack.encode(EMPTY))
WORDS = 4  # numbers in a row that are looked for
TELLING = 3  # different ones among them that do not look round
MIN_WHOLE = 2**16  # a smaller whole number reveals nothing
_KEYS = ("inputs", "alternatives")


def hidden_values(assignment: Assignment, cases: Cases, expected: Run) -> Iterator[Secret]:
    """Bytes of hidden inputs and of the solution's answers to hidden checks.

    Values that public checks contain are not secret: students may see their inputs and answers.
    """
    shown = _shown(assignment)
    public = _asked(assignment, cases, public=True)
    hidden = _asked(assignment, cases, public=False)
    allowed: list[Any] = [cases[name] for name in sorted(shown) if name in cases]
    answers: dict[str, Any] = {}
    for record in expected.probes:
        if record.id in public:
            allowed.append(record.claim)
        elif record.id in hidden:
            answers[record.id] = record.claim
    inputs = {name: case for name, case in cases.items() if name not in shown}
    needles = {
        needle: f"{what} {name!r}"
        # The solution's answers to hidden checks are found.
        for what, held in (("the answer to", answers), ("a hidden input of", inputs))
        for name, value in held.items()
        for needle in _needles(value)
    }
    shared = holding(msgspec.msgpack.encode(allowed), needles)
    for needle, what in needles.items():
        if needle not in shared:
            yield Secret(what, needle)


def hidden_names(assignment: Assignment, cases: Cases) -> frozenset[str]:
    """The generators that no public check uses."""
    return frozenset(cases) - _shown(assignment)


def told_by(data: bytes, assignment: Assignment, cases: Cases) -> Iterator[str]:
    """What the structure of public evidence gives away about hidden checks, one sentence each."""
    hidden = hidden_names(assignment, cases)
    unseen = frozenset((e.id, c.id) for e in assignment.exercise for c in e.check if not c.public)
    kept = kept_back(assignment, cases)
    held = msgspec.msgpack.decode(data)
    for key, value in _keys(held):
        for name in sorted(hidden & {*key.split("/")} - {*PublicEvidence.__struct_fields__}):
            yield f"the name of the hidden generator {name!r}"
        if key in kept and value != KEPT_BACK:  # an answer that was not kept back is found
            yield f"the answer to {key!r}, which only a hidden check compares"
    for place, id_ in _ids(held):
        if any((exercise, id_) in unseen for exercise in place):
            yield f"the id of the hidden check {id_!r}"


def _shown(assignment: Assignment) -> frozenset[str]:
    """The generators that public checks use, and those of their small calls."""
    checks = _checks(assignment, public=True)
    used = {name for check in checks for name in _generators(check)}
    return frozenset(used | {f"{name}{SMALL}" for name in used})


def _checks(assignment: Assignment, *, public: bool) -> Iterator[Check]:
    for exercise in assignment.exercise:
        yield from (check for check in exercise.check if check.public is public)


def _generators(check: Check) -> Iterator[str]:
    """The generators that a check names, at any depth."""
    pending: list[Any] = [check.model_dump()]
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            for key, value in node.items():
                if key in _KEYS:
                    yield from (value,) if isinstance(value, str) else value
                else:
                    pending.append(value)
        elif isinstance(node, list | tuple):
            pending.extend(node)


def _asked(assignment: Assignment, cases: Cases, *, public: bool) -> dict[str, list[Check]]:
    """The ids of what checks ask for, with the checks that ask for it."""
    found: dict[str, list[Check]] = {}
    for exercise in assignment.exercise:
        for check in exercise.check:
            if check.public is public:
                for probe in probes(check, exercise.id, cases):
                    found.setdefault(probe.id, []).append(check)
    return found


def kept_back(assignment: Assignment, cases: Cases) -> frozenset[str]:
    """The ids of names that a hidden check reads and whose value no public check compares: a
    public relation looks only at their form."""
    public = _asked(assignment, cases, public=True)
    reads = {
        probe.id
        for exercise in assignment.exercise
        for check in exercise.check
        if not check.public
        for probe in probes(check, exercise.id, cases)
        if isinstance(probe.request, Read)
    }
    return frozenset(
        id_ for id_ in reads if all(check.kind == "relation" for check in public.get(id_, ()))
    )


def _needles(value: Any) -> Iterator[bytes]:
    """Bytes by which a value would be known in public evidence."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, Array):
            yield from _chunks(node)
        elif isinstance(node, msgspec.Struct):
            pending += [getattr(node, name) for name in node.__struct_fields__]
        elif isinstance(node, tuple | list):
            pending += node
        elif _is_uncommon(node):
            yield msgspec.msgpack.encode(node)


def _is_uncommon(value: object) -> bool:
    if isinstance(value, float):
        return value == value and abs(value) < MIN_WHOLE and value * 1024 % 1 != 0
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) >= MIN_WHOLE


def _chunks(array: Array) -> Iterator[bytes]:
    """A few numbers in a row from the beginning, the middle and the end of an array."""
    size = ITEMSIZE.get(array.dtype, 0)
    size //= 2 if array.dtype.startswith("complex") else 1
    if size < 4:
        return
    step = WORDS * size
    telling = [
        chunk
        for start in range(0, len(array.data) - step + 1, step)
        if len(_odd_words(chunk := array.data[start : start + step], size)) >= TELLING
    ]
    if telling:
        yield from dict.fromkeys((telling[0], telling[len(telling) // 2], telling[-1]))


def _odd_words(chunk: bytes, size: int) -> set[bytes]:
    """The different numbers of a chunk that are not round: whose low bytes are not all zero."""
    words = {chunk[at : at + size] for at in range(0, len(chunk), size)}
    return {word for word in words if any(word[: size - 2])}


def _keys(node: Any) -> Iterator[tuple[str, Any]]:
    """Every key of plain data, at any depth, with its value."""
    for key, value in node.items() if isinstance(node, dict) else ():
        if isinstance(key, str):
            yield key, value
    for value in _inside(node):
        yield from _keys(value)


def _ids(node: Any, place: frozenset[str] = frozenset()) -> Iterator[tuple[frozenset[str], str]]:
    """Every id of plain data, those in ``needs`` included, with the ids that enclose it."""
    if isinstance(node, dict):
        own = {id_ for id_ in (node.get("id"),) if isinstance(id_, str)}
        needed = node.get("needs")
        for id_ in (*own, *(needed if isinstance(needed, list) else ())):
            yield place, id_
        place |= own
    for value in _inside(node):
        yield from _ids(value, place)


def _inside(node: Any) -> Iterable[Any]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()
