"""The border under attack: whatever bytes arrive, the trusted side refuses them or stays whole.

Frames are damaged byte by byte and piece by piece, always in the same way. The last part
judges, reports and stores what decodes, because a claim may be well formed and absurd.
"""

from __future__ import annotations

import json
import math
import random
import re
import struct
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.gradebook.result import read_result, result_json
from autograder.grading.context import PreparedClass
from autograder.grading.job import make_job
from autograder.judging.checks.compare import compare
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import examine, probes
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.judge import CellPlaces, judge
from autograder.judging.verdict import Status
from autograder.notebook.executed import executed_notebook
from autograder.notebook.formats.read import read
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from autograder.sandbox.child import _Incoming
from autograder.wire import messages
from autograder.wire.messages import (
    CellDone,
    Error,
    Kept,
    Outcome,
    Output,
    Ready,
    Reply,
    WireError,
    decode,
    encode,
    frame,
)
from autograder.wire.tensors import from_wire, to_wire
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    Complex,
    Items,
    Mapping,
    Opaque,
    Value,
    Whole,
)
from autograder.wire.weight import weigh
from tests.support import made_grades
from tests.support.effort import costs_at_most
from tests.support.made_messages import answers
from tests.support.made_tables import look
from tests.support.tables import evaluated, table_beside

FRAMES = 12_000
LIMIT = 1 << 20  # what one answer may weigh here
ALL_SECONDS = 40.0  # of processor time, for all frames
ONE_SECOND = 1.0  # for a single one
SAMPLE = 1_500  # frames whose memory is measured
PEAK = 4 * LIMIT
JUDGED = 1_500
WHOLE_RUNS = 25

# ---------------------------------------------------------------- how they are damaged

RAW = [
    b"\xc1",
    b"\xd4\x05\x00",
    b"\xd6\xff\0\0\0\1",
    b"\xc7\x0c\xff" + bytes(12),
    b"\xc8\xff\xff\x01",
    b"\xdb\xff\xff\xff\xff",
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdd\x00\x10\x00\x00",
    b"\xa3\xed\xa0\x80",
    b"\xa2\xc3\x28",
    b"\xa4\xf4\x90\x80\x80",
    b"\xcb\x7f\xf0\0\0\0\0\0\1",
    b"\xca\xff\xc0\0\1",
    b"\x91" * 2_000 + b"\xc0",
    b"\x81\xa1k" * 500 + b"\xc0",
    b"\xdc\xff\xff" + b"\xc0" * 65_535,
    b"\xcf" + b"\xff" * 8,
    b"\xd3\x80" + bytes(7),
    b"\xd9\x00",
    b"\xc4\x00",
]
ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 255, 2**31, 2**63 - 1, -(2**63), 2**64 - 1),
    *(math.nan, math.inf, -math.inf, -0.0, 5e-324, 1e308),
    *("", "x", "returned", "float64", "bool", "object", "9" * 5_000, "-", "٣", "a b " * 200),
    *(b"", b"\0" * 8, b"\xff" * 16),
    *([], [[]], [0, 2**40], [2**40] * 3, [-1], [True], [1] * 20, [math.nan]),
    {},
    {1: 2},
    {"is": "array"},
    {"is": "items", "kind": "set", "items": [[]]},
    {"is": "whole", "text": "1" * 4_001},
    {"is": "whole", "text": "--1"},
    {"is": "complex", "real": math.nan, "imag": 0.0},
    {"is": "outcome", "status": "returned"},
    {"is": "mapping", "items": [[1]]},
    *map(msgspec.Raw, RAW),
]
KEYS: dict[str, list[Any]] = {
    "is": [
        *("array", "items", "whole", "module", "figure", "cell", "kept", "data frame", "column"),
        *("sparse", "x", "", 7, None),
    ],
    "form": ["frame", "series", "index", "array", "value", "x"],
    "unit": ["", "s", "ns", "h"],
    "missing": [None, {"is": "array", "dtype": "bool", "shape": [1], "data": b"\1"}],
    "dtype": [*ITEMSIZE, "object", "float", "uint64", "U1", "f4", "", 3, None],
    "shape": [
        *([0, 2**40], [2**40, 0], [2**63 - 1], [-1], [], [0], [6], [3, 2], [2, 3, 1]),
        *([6.0], [True, 6], [1] * 17, ["6"], 6),
    ],
    "container": ["tensor", "ndarray", "list", 0],
    "kind": [
        *("set", "list", "tuple", "stdout", "dict", None, "number", "bool", "time", "text"),
        *("mixed", "category"),
    ],
    "status": ["returned", "raised", "missing", "passed", 1],
    "text": ["1", "-", "1_0", "0x1", "9" * 4_000, "9" * 4_001, " 1", "1e9", ""],
    "changed": [[0], [-1], [2**63 - 1] * 50, list(range(300)), [None]],
}


def paths(node: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a decoded message, at most 40 members of a list."""
    yield way
    if isinstance(node, dict):
        for key in node:
            yield from paths(node[key], (*way, key))
    elif isinstance(node, list):
        for at, part in enumerate(node[:40]):
            yield from paths(part, (*way, at))


def replaced(node: Any, way: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """The message with one part changed; nothing of the old one is touched."""
    if not way:
        return change(node)
    copy: Any = dict(node) if isinstance(node, dict) else list(node)
    copy[way[0]] = replaced(node[way[0]], way[1:], change)
    return copy


class Fuzzer:
    """Damages bodies of messages. Equal seeds give equal damages."""

    def __init__(self, bodies: list[bytes], seed: int) -> None:
        self._rng = random.Random(seed)
        self.bodies = bodies
        self._trees = [msgspec.msgpack.decode(body) for body in bodies]
        self._ways = [list(paths(tree)) for tree in self._trees]

    def frame(self) -> bytes:
        """A whole frame; now and then it lies about its length."""
        body = self.body(self._rng.randrange(len(self.bodies)))
        size = len(body)
        if self._rng.random() < 0.06:
            size = self._rng.choice([0, size - 1, size + 1, 2 * size, LIMIT, LIMIT + 1, 2**63, 7])
        return max(size, 0).to_bytes(8, "big") + body

    def body(self, which: int) -> bytes:
        """One message's body after one to three damages."""
        if self._rng.random() < 0.6:
            body = self._structured(which)
            return body if self._rng.random() < 0.8 else self._bytes(body)
        body = self.bodies[which]
        for _ in range(self._rng.randint(1, 3)):
            body = self._bytes(body)
        return body

    def _structured(self, which: int) -> bytes:
        rng, tree, ways = self._rng, self._trees[which], self._ways[which]
        for _ in range(rng.choice((1, 1, 1, 2))):
            way = rng.choice(ways)
            try:
                tree = replaced(tree, way, lambda old, way=way: self._other(old, way))  # type: ignore[misc]
            except (LookupError, TypeError):  # the first change took this part away
                break
        return msgspec.msgpack.encode(tree)

    def _other(self, old: Any, way: tuple[Any, ...]) -> Any:
        """Something else in place of one part."""
        rng, key = self._rng, way[-1] if way else ""
        if key in KEYS and rng.random() < 0.6:
            return rng.choice(KEYS[key])
        match rng.randrange(8):
            case 0 if isinstance(old, dict):
                return {k: v for k, v in old.items() if k != rng.choice(list(old) or [0])}
            case 1 if isinstance(old, dict):
                return {**old, rng.choice(("extra", "is", "value", 5)): rng.choice(ODD)}
            case 2 if isinstance(old, dict):
                return [*old.values()]
            case 3 if isinstance(old, list):
                return dict(enumerate(old)) if rng.random() < 0.5 else old * rng.randrange(4)
            case 4 if isinstance(old, bytes):
                return old[: rng.randrange(len(old) + 1)] + rng.randbytes(rng.randrange(9))
            case 5:
                return {"is": "items", "kind": "list", "items": [old] * rng.randrange(3)}
            case 6:
                for _ in range(rng.choice((1, 5, 30, 40))):
                    old = {"is": "items", "kind": "tuple", "items": [old]}
                return old
        return rng.choice(ODD)

    def _bytes(self, body: bytes) -> bytes:
        rng, data = self._rng, bytearray(body)
        at = rng.randrange(len(data) + 1)
        match rng.randrange(8):
            case 0 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                del data[at:]
            case 2:
                data[at:at] = rng.randbytes(rng.randint(1, 9))
            case 3:
                data[at:at] = data[at : at + rng.randint(1, 60)] * rng.randint(1, 3)
            case 4:
                other = rng.choice(self.bodies)
                data = data[:at] + other[rng.randrange(len(other)) :]
            case 5 if at < len(data):
                data[at] = rng.choice((0xC1, 0xC7, 0xD4, 0xDB, 0xDD, 0xDF, 0xC6, 0xCB, 0xC3, 0xFF))
            case 6:
                data[at : at + rng.randint(0, 5)] = rng.choice(RAW)
            case _:
                data[at : at + 4] = rng.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff"))
        return bytes(data)


# ---------------------------------------------------------------- how the trusted side reads


class Arrives:
    """Stands in for the socket: hands out what was sent, then has nothing more."""

    def __init__(self, data: bytes) -> None:
        self._rest = memoryview(data)

    def recv_into(self, room: memoryview) -> int:
        count = min(len(room), len(self._rest))
        if count == 0:
            raise BlockingIOError
        room[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def received(data: bytes) -> Reply | str:
    """What ``Child`` makes of a frame: an answer, or the word for why not."""
    incoming = _Incoming(LIMIT)
    incoming.take(Arrives(data))  # type: ignore[arg-type]
    if incoming.too_large:
        return "large"
    if not incoming.complete:
        return "unfinished"
    if weigh(incoming.body, LIMIT) > LIMIT:
        return "heavy"
    if incoming.surplus:
        return "surplus"
    try:
        return decode(incoming.body, Reply)
    except WireError as bad:
        str(bad).encode()
        return "refused"


def outcomes_of(answer: messages.Answer | None) -> tuple[Outcome, ...]:
    if isinstance(answer, Kept):
        return answer.outcomes
    return (answer,) if isinstance(answer, Outcome) else ()


def believe(reply: Reply) -> None:
    """What every answer that was let through must allow."""
    assert type(reply) is Reply and isinstance(reply.answer, Ready | Kept | CellDone | Outcome)
    body = encode(reply)
    assert encode(decode(body, Reply)) == body
    for outcome in outcomes_of(reply.answer):
        for value in (outcome.value, *outcome.gradients):
            look(value)


@pytest.fixture(scope="module")
def bodies() -> list[bytes]:
    """Answers, and requests too: the box may send back what it was sent."""
    requests = [
        messages.Ask(3, messages.Call("e", "f", (1, "x"), 3, (1,))),
        messages.Ask(4, messages.Keep("e", (messages.Read("e", "n"),))),
    ]
    return [*(encode(Reply(5, answer)) for answer in answers()), *map(encode, requests)]


def test_honest_answers_are_believed(bodies: list[bytes]) -> None:
    heard = [received(frame(body)) for body in bodies]
    assert [one for one in heard if isinstance(one, str)] == ["refused"] * 2
    for reply in heard:
        if isinstance(reply, Reply):
            believe(reply)


def test_thousands_of_damaged_frames_are_refused_or_harmless(bodies: list[bytes]) -> None:
    fuzzer, ended = Fuzzer(bodies, seed=7), Counter[str]()
    with costs_at_most(ALL_SECONDS):
        for _ in range(FRAMES):
            data = fuzzer.frame()
            with costs_at_most(ONE_SECOND):
                reply = received(data)
                if isinstance(reply, Reply):
                    believe(reply)
            ended[reply if isinstance(reply, str) else "believed"] += 1
    assert all(ended[word] > 20 for word in ("large", "unfinished", "heavy", "surplus")), ended
    assert ended["refused"] > FRAMES / 4, ended
    assert ended["believed"] > FRAMES / 20, ended


def test_no_frame_takes_more_memory_than_its_bound(bodies: list[bytes]) -> None:
    fuzzer = Fuzzer(bodies, seed=8)
    frames = [fuzzer.frame() for _ in range(SAMPLE)]
    huge = [frame(raw + bytes(100)) for raw in RAW]
    frames += [*huge, (2**63).to_bytes(8, "big"), (LIMIT).to_bytes(8, "big") + b"\xdd"]
    tracemalloc.start()
    try:
        for data in frames:
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            received(data)
            assert tracemalloc.get_traced_memory()[1] - before < PEAK, data[:60]
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------- numbers that lie


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
def test_unsigned_integers_cross_the_border_unharmed(dtype: str) -> None:
    largest = np.iinfo(dtype).max
    for made in (np.array([0, 5, largest], dtype), np.array([[largest]], dtype)):
        crossed = to_wire(made)
        assert compare(crossed, to_wire(made.tolist()), where="x") == ()
        assert compare(crossed, to_wire((made.astype(object) + 1).tolist()), where="x") != ()
    assert from_wire(to_wire(np.uint64(2**64 - 1))) == 2**64 - 1
    assert compare(to_wire(np.uint64(2**64 - 1)), -1, where="x") != ()
    assert from_wire(to_wire(np.zeros(0, dtype))).shape == (0,)


def doubles(*numbers: float) -> Array:
    return Array("float64", (len(numbers),), struct.pack(f"<{len(numbers)}d", *numbers))


LIES = table_beside(__file__)  # expressions: what is claimed, what is right


@pytest.mark.parametrize("lie", LIES)
def test_a_number_that_lies_agrees_with_nothing(lie: str) -> None:
    actual, expected = evaluated(LIES[lie], globals() | {"Complex": Complex, "Whole": Whole})
    body = encode(Reply(1, Outcome("returned", actual)))
    answer = decode(body, Reply).answer
    assert isinstance(answer, Outcome)
    assert compare(answer.value, expected, where="x") != ()


# ---------------------------------------------------------------- claims as evidence


class Trials:
    """The flagship's checks, by the question whose answer they look at."""

    def __init__(self, prepared: PreparedClass) -> None:
        self.context, self.expected = prepared.context, prepared.expected
        known = self.context.loaded.relations
        self.reference = Reference(
            self.expected, self.context.cases, known, self.context.unavailable
        )
        self.by_probe: dict[str, list[tuple[str, Any]]] = {}
        for exercise in self.context.loaded.spec.exercise:
            if exercise.id not in self.context.unavailable:
                for check in exercise.check:
                    for probe in probes(check, exercise.id, self.context.cases):
                        self.by_probe.setdefault(probe.id, []).append((exercise.id, check))

    def with_claims(self, claims: dict[str, Outcome]) -> Run:
        """The reference's own run, but for these claims."""
        made = tuple(
            msgspec.structs.replace(probe, claim=claims.get(probe.id, probe.claim))
            for probe in self.expected.probes
        )
        return Run(self.expected.cells, made, self.expected.measured)

    def findings(self, id_: str, claim: Outcome) -> list[tuple[Any, Finding]]:
        """What each check finds that looks at this answer."""
        run = self.with_claims({id_: claim})
        return [
            (check, examine(alone(check), exercise, run, self.reference))
            for exercise, check in self.by_probe.get(id_, [])
        ]


def alone(check: Any) -> Any:
    """The check by itself: where it names earlier parts, right answers with stand-ins excuse it."""
    return check.model_copy(update={"parts": ()}) if getattr(check, "parts", ()) else check


@pytest.fixture(scope="module")
def trials(prepared: PreparedClass) -> Trials:
    return Trials(prepared)


def claims_of(run: Run, most: int) -> list[tuple[str, bytes]]:
    """The reference's answers to checks that are small enough to damage often, as bodies."""
    asked = [p for p in run.probes if not is_small(p.id)]
    found = [(p.id, encode(Reply(0, p.claim))) for p in asked if p.claim is not None]
    return [(id_, body) for id_, body in found if len(body) <= most]


def damaged(fuzzer: Fuzzer, which: int) -> messages.Answer | None:
    """An answer after its damage, if it is one still."""
    reply = received(frame(fuzzer.body(which)))
    return reply.answer if isinstance(reply, Reply) else None


@pytest.mark.slow
def test_damaged_claims_are_judged_without_an_exception(trials: Trials) -> None:
    known = claims_of(trials.expected, 40_000)
    fuzzer = Fuzzer([body for _, body in known], seed=9)
    rng, judged, statuses = random.Random(9), 0, Counter[Status]()
    while judged < JUDGED:
        which = rng.randrange(len(known))
        for claim in outcomes_of(damaged(fuzzer, which))[:1]:
            judged += 1
            for check, finding in trials.findings(known[which][0], claim):
                # a simulated call without an end is a person's
                left = check.kind == "device" or "simulated=True" in known[which][0]
                assert left or finding.status is not Status.UNGRADED, (check.id, finding, claim)
                msgspec.msgpack.encode(finding)
                statuses[finding.status] += 1
    assert statuses[Status.FAILED] > JUDGED / 5, statuses
    assert len(statuses) >= 4, statuses


def spoiled(
    claim: Outcome, parts: tuple[str, ...], number: float, rng: random.Random, *, all_: bool
) -> Outcome | None:
    """The claim with one or all of the numbers in these parts of it made ``number``; None if there
    is none."""
    tree = msgspec.msgpack.decode(encode(Reply(0, claim)))
    found = [way for way in paths(tree) if way[1:2] and way[1] in parts and numbers_at(tree, way)]

    def change(old: Any) -> Any:
        if isinstance(old, float):
            return number
        numbers = np.frombuffer(old["data"], old["dtype"]).copy()
        numbers[slice(None) if all_ else rng.randrange(numbers.size)] = number
        return {**old, "data": numbers.tobytes()}

    if not found:
        return None
    for way in found if all_ else [rng.choice(found)]:
        tree = replaced(tree, way, change)
    answer = decode(msgspec.msgpack.encode(tree), Reply).answer
    assert isinstance(answer, Outcome)
    return answer


def numbers_at(tree: Any, way: tuple[Any, ...]) -> bool:
    """Whether a number or an array of numbers is there; of a figure, what its images show."""
    node = reduce(getitem, way, tree)
    if "panels" in way and "images" not in way:
        return False
    if isinstance(node, dict):
        return node.get("dtype") in ("float32", "float64") and len(node.get("data", b"")) > 0
    return isinstance(node, float)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_no_claim_passes_with_one_number_that_is_none(trials: Trials, number: float) -> None:
    rng, spoilt = random.Random(10), Counter[str]()
    for probe in trials.expected.probes:
        if probe.claim is None or "/own/" in probe.id or probe.id.endswith(("=table", "=alike")):
            continue  # what stands in for a wrong value only
        if re.search(r"/(before|again|varied/\d|used/\w+)$", probe.id):
            continue  # looked at for what calls leave behind, where the others are right
        for part, kinds in (("value", ("value", "function")), ("gradients", ("gradient",))):
            claim = spoiled(probe.claim, (part,), number, rng, all_=False)
            for check, finding in trials.findings(probe.id, claim) if claim else ():
                if check.kind in kinds:
                    spoilt[check.kind] += 1
                    assert finding.status is Status.FAILED, (probe.id, check.id, finding)
    assert spoilt.total() > 20 and len(spoilt) == 3, spoilt


def test_a_run_in_which_every_number_is_nan_earns_nothing_for_numbers(trials: Trials) -> None:
    """Checks of a module's class and shape and of a figure's looks are for no numbers."""
    claims: dict[str, Outcome] = {}
    for probe in trials.expected.probes:
        if probe.claim is not None:
            parts = ("value", "gradients")
            claim = spoiled(probe.claim, parts, math.nan, random.Random(10), all_=True)
            claims |= {probe.id: claim} if claim else {}
    numeric = {
        (exercise, check.id)
        for id_ in claims
        for exercise, check in trials.by_probe.get(id_, [])
        if check.kind in ("value", "function", "gradient", "relation")
        or (check.kind == "figure" and "data" in check.aspects)
    }
    run = trials.with_claims(claims)
    verdicts = judge(trials.context.loaded.spec, run, trials.reference)
    passed = {(v.exercise, v.check) for v in verdicts if v.status is Status.PASSED}
    assert len(numeric) > 10
    assert passed & numeric == set()


# ---------------------------------------------------------------- the whole way to the files


@pytest.mark.slow
def test_runs_of_damaged_claims_are_graded_reported_and_stored(
    trials: Trials, tmp_path: Path
) -> None:
    context = trials.context
    spec, full = context.loaded.spec, trials.expected
    submission = read(context.loaded.solution)
    located = make_job(context, submission)[1]
    known = claims_of(full, 40_000)
    cells = [encode(Reply(0, c.claim)) for c in full.cells if c.claim is not None]
    fuzzer, rng = Fuzzer([body for _, body in known], seed=11), random.Random(11)
    talker = Fuzzer([*cells, encode(Reply(0, list(answers())[1]))], seed=12)
    store = EvidenceFolder(tmp_path)
    for number in range(WHOLE_RUNS):
        claims = {}
        for which in rng.sample(range(len(known)), len(known) // 3):
            for outcome in outcomes_of(damaged(fuzzer, which))[:1]:
                claims[known[which][0]] = outcome
        said: list[CellDone] = []
        while len(said) < 5:
            answer = damaged(talker, rng.randrange(len(talker.bodies)))
            said += [answer] if isinstance(answer, CellDone) else []
        run = trials.with_claims(claims)
        made = tuple(msgspec.structs.replace(c, claim=rng.choice(said)) for c in run.cells)
        run = msgspec.structs.replace(run, cells=made)
        verdicts = judge(spec, run, trials.reference, CellPlaces(owners=located.owners))
        grade = points(spec, SubmittedFile("a.ipynb", ""), verdicts, run, student=f"s{number}")
        data = result_json(grade)
        assert result_json(read_result(data)) == data
        json.loads(data, parse_constant=lambda word: pytest.fail(word))
        made_grades.gradebook_csv([grade])
        executed = executed_notebook(submission, run)
        page = feedback_page(feedback(grade, spec), executed, dict(located.keep_after))
        assert "<script" not in page
        store.save(f"{number:064x}", run)
        back = store.load(f"{number:064x}")
        assert back is not None
        assert [encode(c) for c in back.cells] == [encode(c) for c in run.cells]
        assert [encode(p) for p in back.probes] == [encode(p) for p in run.probes]


# ---------------------------------------------------------------- legal, and far too much


@pytest.mark.slow
def test_keys_that_share_one_hash_cost_no_hours() -> None:
    """-1 and -2 have one hash in Python, and so has every tuple of them."""
    keys = [
        Items("tuple", tuple(-1 - (number >> bit & 1) for bit in range(16)))
        for number in range(30_000)
    ]
    assert len({hash(key) for key in keys[:50]}) == 1
    with costs_at_most(20.0):
        assert compare(Items("set", tuple(keys)), Items("set", (1,)), where="x") != ()
        pairs = Mapping(tuple((key, 1) for key in keys))
        found = compare(pairs, Mapping(((keys[0], 2),)), where="x")
        assert [mismatch.kind for mismatch in found[:2]] == ["value", "unexpected"]
        assert compare(pairs, pairs, where="x") == ()


def test_a_key_of_any_type_makes_a_result_that_can_be_read_back() -> None:
    keys: list[Value] = [True, 1.5, None, "k" * 100_000, 2**64 - 1, Items("tuple", (1,)), math.nan]
    found = compare(Mapping(tuple((key, 1) for key in keys)), Mapping(((7, 1),)), where="x")
    assert len(found) == len(keys) + 1
    wrong = made_grades.check("c", Status.FAILED, 0, mismatches=found)
    data = result_json(made_grades.grade("s", made_grades.exercise("e", wrong)))
    assert len(data) < 200_000
    assert result_json(read_result(data)) == data


BLANKS = "a " * (4 << 20)
HEAVY: dict[str, Outcome] = {
    "text": Outcome("returned", BLANKS),
    "an error": Outcome("raised", None, Error(("E",), BLANKS, 1, BLANKS, "\n" * (8 << 20))),
    "error names": Outcome("raised", None, Error(("E" * 10,) * 200_000, "x")),
    "changed": Outcome("returned", 1, changed=tuple(range(300_000))),
    "many items": Outcome("returned", Items("list", (None,) * 300_000)),
    "many texts": Outcome("returned", Items("list", (" . ",) * 300_000)),
    "an opaque one": Outcome("returned", Opaque(BLANKS, BLANKS)),
    "gradients": Outcome("returned", 1, gradients=(Opaque("T", "t"),) * 300_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HEAVY)
def test_a_claim_that_is_legal_and_huge_is_judged_soon(trials: Trials, what: str) -> None:
    seen: set[str] = set()
    for id_, looks in trials.by_probe.items():
        kinds = {check.kind for _, check in looks} - seen
        if not kinds or "/own/" in id_:
            continue
        seen |= kinds
        with costs_at_most(5.0, id_):
            for check, finding in trials.findings(id_, HEAVY[what]):
                if check.kind not in ("speed", "figure"):  # which look at other claims, or at cost
                    assert finding.status is not Status.PASSED
                assert len(msgspec.msgpack.encode(finding)) < 100_000
    assert len(seen) >= 6


def test_an_error_of_megabytes_makes_a_page_of_ordinary_size(trials: Trials) -> None:
    context = trials.context
    submission = read(context.loaded.solution)
    said = CellDone(
        tuple(Output("stdout", "text/plain", b"x\n" * 50) for _ in range(5_000)),
        Error(("ValueError",), BLANKS, 1, BLANKS, "\n \x1b[31m" * (1 << 20)),
    )
    cells = tuple(msgspec.structs.replace(c, claim=said) for c in trials.expected.cells[:4])
    run = Run(cells, trials.expected.probes, trials.expected.measured)
    grade = points(context.loaded.spec, SubmittedFile("a.ipynb", ""), [], run, student="s")
    with costs_at_most(10.0):
        executed = executed_notebook(submission, run)
        page = feedback_page(feedback(grade, context.loaded.spec), executed, {})
    assert len(page) < 5_000_000
