"""LTI score messages: what is said of whom, and what becomes of them on the way."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from urllib3.util import retry

from autograder.errors import UsageError
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.interop.lti.scores import MEDIA_TYPE, Payload, ags_payloads, scores_url
from autograder.interop.lti.send import Patience, SentScores, send
from tests.support.loopback import Request
from tests.support.strict_readers import ags
from tests.support.strict_readers.ags import Answer, Platform
from tests.support.strict_readers.hostile_class import ROSTER, SCORES, STANDINGS
from tests.support.tables import read_table

WHEN = datetime(2026, 10, 25, 2, 30, 0, 123_456, UTC)
TOKEN = "secret-token-7531"
ADDRESSES = read_table(Path(__file__).with_name("addresses.yaml"))
QUICK = Patience(timeout=60, attempts=3, pause=0.25, silent=2)
NOW = 1_800_000_000.0
OK: Answer = (200, {}, b"{}")


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were to be waited for a platform; nobody waits in these tests."""
    seconds: list[float] = []
    monkeypatch.setattr(retry, "time", SimpleNamespace(sleep=seconds.append, time=lambda: NOW))
    return seconds


def messages(count: int = 3, *, score: int = 8_500, later: int = 0) -> tuple[Payload, ...]:
    people = tuple(Person(f"s{n}", keys={"lti_user_id": f"sub{n}"}) for n in range(count))
    standings = [Standing("a", person.id, "final", score, 10_000) for person in people]
    when = WHEN + timedelta(seconds=later)
    return ags_payloads(standings, Roster(people), timestamp=when).payloads


def sent(platform: Platform, payloads: tuple[Payload, ...], **keys: object) -> SentScores:
    told = {"patience": QUICK, **keys}
    return send(payloads, line_item=platform.line_item, token=TOKEN, **told)  # type: ignore[arg-type]


def outcomes(result: SentScores) -> list[tuple[str, int]]:
    return [(delivery.outcome, delivery.status) for delivery in result.deliveries]


def test_each_state_has_its_message() -> None:
    made = ags_payloads(STANDINGS, ROSTER, timestamp=WHEN, comments=True)
    bodies = {p.student: json.loads(p.body, parse_float=Decimal) for p in made.payloads}
    given = {student: ags.check(body) for student, body in bodies.items()}
    assert {k: v for k, v in given.items() if v is not None} == SCORES
    progress = {s: (b["gradingProgress"], b["activityProgress"]) for s, b in bodies.items()}
    assert {progress[student] for student in SCORES} == {("FullyGraded", "Completed")}
    assert progress["\u202eltr"] == ("PendingManual", "Submitted")
    assert progress["12/03"] == progress["a;b"] == ("Failed", "Submitted")
    assert [mention.student for mention in made.left_blank] == ["#N/A", "TRUE"]
    assert bodies["0042"]["timestamp"] == "2026-10-25T02:30:00.123Z"
    assert bodies["0042"]["submission"] == {"submittedAt": "2026-10-25T00:30:01.250Z"}
    assert bodies["0042"]["comment"] == 'Well <done> & =1+1\na "second",\nline'
    assert all("instructor" not in str(body) for body in bodies.values())


def test_nobody_is_sent_under_a_wrong_key() -> None:
    keys = [{}, {"lti_user_id": "same"}, {"lti_user_id": "same"}, {"lti_user_id": "own"}]
    roster = Roster(tuple(Person(f"s{n}", keys=k) for n, k in enumerate(keys)))
    standings = [Standing("a", f"s{n}", "final", 1_000, 2_000) for n in range(4)]
    made = ags_payloads(standings, roster, timestamp=WHEN)
    assert [payload.student for payload in made.payloads] == ["s3"]
    assert [mention.student for mention in made.unmatched] == ["s0", "s1", "s2"]


@pytest.mark.parametrize(
    ("score", "most"), [(-1_000, 10_000), (1_000, 0)], ids=["negative", "no maximum"]
)
def test_what_no_platform_takes_is_left_out_with_a_reason(score: int, most: int) -> None:
    roster = Roster((Person("s", keys={"lti_user_id": "x"}),))
    made = ags_payloads([Standing("a", "s", "final", score, most)], roster, timestamp=WHEN)
    assert not made.payloads
    assert "write a number" in made.left_blank[0].reason
    half = Roster((Person("s", keys={"lti_user_id": "\udcff"}),))
    made = ags_payloads([Standing("a", "s", "final", 1, 1_000)], half, timestamp=WHEN)
    assert [mention.student for mention in made.left_blank] == ["s"]
    odd = msgspec.structs.replace(STANDINGS[1], comments=("\udcff",))
    assert ags_payloads([odd], ROSTER, timestamp=WHEN, comments=True).payloads
    with pytest.raises(UsageError, match="time zone"):
        ags_payloads((), Roster(), timestamp=datetime(2026, 1, 1))  # noqa: DTZ001


def test_scores_go_in_the_path() -> None:
    for line_item, url in ADDRESSES["scores"].items():
        assert scores_url(line_item) == url


def test_an_address_that_is_none() -> None:
    for line_item in ADDRESSES["refused"]:
        with pytest.raises(UsageError):
            scores_url(line_item)
            pytest.fail(line_item)


def test_messages_come_in_order_and_whole() -> None:
    with Platform(lambda request, n: OK) as platform:
        result = sent(platform, messages())
    assert outcomes(result) == [("accepted", 200)] * 3
    assert [score["userId"] for score in platform.scores] == ["sub0", "sub1", "sub2"]
    for request in platform.requests:
        assert request.method == "POST"
        assert request.path == "/courses/1/line_items/2/scores?type=a&b=c"
        assert request.headers["content-type"] == MEDIA_TYPE
        assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert not result.lost


def test_one_refusal_stops_nobody_else() -> None:
    def answer(request: Request, n: int) -> Answer:
        if b"sub1" in request.body:
            return 400, {}, f"no such user; you said Bearer {TOKEN}\x1b[2J".encode()
        return OK

    with Platform(answer) as platform:
        result = sent(platform, messages())
    assert outcomes(result) == [("accepted", 200), ("refused", 400), ("accepted", 200)]
    assert len(platform.requests) == 3  # 400 is final
    reason = result.lost[0].reason
    assert "no such user" in reason
    assert TOKEN not in repr(result) and "\x1b" not in reason


def test_a_platform_that_recovers(waits: list[float]) -> None:
    with Platform(lambda request, n: (500, {}, b"") if n in (1, 2) else OK) as platform:
        result = sent(platform, messages(2))
    assert outcomes(result) == [("accepted", 200)] * 2
    assert waits == [0.5]  # the first repetition is made at once


@pytest.mark.parametrize(
    ("asked", "waited"),
    [
        ("7", [7]),
        (30, [30]),
        ("soon", []),
        ("-5", []),
        ("٣", []),
        ("Sun, 25 Oct 99999999999999999999 02:30:10 GMT", []),
    ],
)
def test_a_platform_that_asks_to_wait(
    asked: str | int, waited: list[float], waits: list[float]
) -> None:
    if isinstance(asked, int):
        asked = formatdate(NOW + asked, usegmt=True)
    asking = asked.encode("utf-8").decode("latin-1")
    with Platform(lambda r, n: (429, {"Retry-After": asking}, b"") if n == 1 else OK) as platform:
        result = sent(platform, messages(1))
    assert outcomes(result) == [("accepted", 200)]
    assert waits == waited


def test_patience_ends_and_a_wait_that_is_too_long_is_reported(waits: list[float]) -> None:
    with Platform(lambda r, n: (503, {"Retry-After": "86400"}, b"")) as platform:
        result = sent(platform, messages(1))
    assert outcomes(result) == [("refused", 503)] and not waits and len(platform.requests) == 1
    assert "86400" in result.lost[0].reason
    with Platform(lambda request, n: (500, {}, b"broken")) as platform:
        result = sent(platform, messages(1))
    assert outcomes(result) == [("refused", 500)]
    assert len(platform.requests) == QUICK.attempts


def test_a_platform_that_hangs_costs_no_more_than_two_messages() -> None:
    done = threading.Event()

    def answer(request: Request, n: int) -> Answer:
        done.wait(600)
        return OK

    with Platform(answer) as platform:
        result = sent(platform, messages(5), patience=replace(QUICK, timeout=0.3))
        done.set()
    assert [outcome for outcome, _ in outcomes(result)] == ["unreached"] * 2 + ["untried"] * 3
    assert len(platform.requests) <= 2 * QUICK.attempts
    assert len(result.lost) == 5


def test_where_nobody_is_no_score_arrives() -> None:
    with Platform(lambda request, n: OK) as platform:
        gone = platform.line_item
    result = send(messages(1), line_item=gone, token=TOKEN, patience=QUICK)
    assert outcomes(result) == [("unreached", 0)]
    assert "refused" in result.lost[0].reason
    result = send(messages(3), line_item="https://a..b/c", token=TOKEN, patience=QUICK)
    assert [outcome for outcome, _ in outcomes(result)] == ["unreached", "unreached", "untried"]


def test_redirects_are_not_followed() -> None:
    with Platform(lambda request, n: OK) as other:
        statuses, place = (301, 302, 303, 307, 308), {"Location": other.line_item}
        with Platform(lambda request, n: (statuses[n - 1], place, b"")) as platform:
            results = [sent(platform, messages(1)) for _ in statuses]
    assert [outcomes(result) for result in results] == [[("refused", n)] for n in statuses]
    assert other.requests == []
    assert all("redirects are not followed" in result.lost[0].reason for result in results)


def test_what_was_accepted_is_not_sent_again() -> None:
    with Platform(lambda request, n: (400, {}, b"") if n == 2 else OK) as platform:
        first = sent(platform, messages())
        again = sent(platform, messages(later=60), accepted=first.accepted)
        assert [o for o, _ in outcomes(again)] == ["held", "accepted", "held"]
        assert len(platform.requests) == 4
        changed = sent(platform, messages(later=90, score=9_000), accepted=again.accepted)
        back = sent(platform, messages(later=120), accepted=changed.accepted)
    assert outcomes(changed) == outcomes(back) == [("accepted", 200)] * 3


@pytest.mark.parametrize("token", ["", "two words", "line\nX-Other: 1", "ünï", "tab\t"])
def test_a_token_that_is_none_is_not_quoted(token: str) -> None:
    with pytest.raises(UsageError) as refused:
        send(messages(1), line_item="https://lms/a", token=token)
    assert not token or token not in str(refused.value)


def test_a_damaged_answer_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            for _ in range(QUICK.attempts):
                connection, _ = server.accept()
                connection.recv(65_536)
                connection.sendall(b"\x00\xffnot HTTP\r\n\r\n")
                connection.close()

        thread = threading.Thread(target=talk)
        thread.start()
        line_item = f"http://localhost:{server.getsockname()[1]}/a"
        result = send(messages(1), line_item=line_item, token=TOKEN, patience=QUICK)
        thread.join(60)
    assert outcomes(result) == [("unreached", 0)]
