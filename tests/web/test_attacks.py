"""The red-team class ``web``: what somebody could try against a served course, each with what must
not come of it.

Covered: sessions, links and forms; addresses; markup in everything that people write; other
people's pages; uploads that are too much; redirects and headers. A page in a frame is attacked in
``test_browser.py``, signed tokens of other servers in ``test_openid.py`` and ``test_lti.py``.
"""

from __future__ import annotations

import hashlib
import http.client
import io
import re
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.testclient import TestClient

from autograder.web.access import LINK_S, SESSION_S
from autograder.web.app import ANYBODY, PAGES, PageRoute
from autograder.web.services import MAX_FORM, MAX_UPLOAD
from autograder.web.visit import FRAME_POLICY, POLICY
from tests.attacks.active import active_parts
from tests.support.attacked_course import (
    COOKIE,
    HAND_IN,
    PLACES,
    TASK,
    UNSEEN,
    AttackedCourse,
    attacked_course,
    every_page,
    filled,
    run_parts,
)
from tests.support.in_process import Lent
from tests.support.served_course import (
    BASE,
    ServedCourse,
    hand_in,
    script,
    send,
    send_as_seen,
    served_course,
    serving,
    token,
)

URLENCODED = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, lent_box: Lent) -> Iterator[AttackedCourse]:
    yield attacked_course(tmp_path_factory.mktemp("course"))


# ---------------------------------------------------------------- every page of every role


def test_nothing_that_people_write_is_run(hostile: AttackedCourse) -> None:
    clients = {
        "": hostile.nobody,
        "student": hostile.one,
        "grader": hostile.gil,
        "instructor": hostile.ina,
    }
    seen, pages, frames = "", 0, 0
    for role, client in clients.items():
        for path, answer in every_page(hostile.course, client, role):
            assert answer.status_code in (200, 303, 404, 409), (path, answer.text)
            if "text/html" not in answer.headers.get("content-type", ""):
                continue
            seen += answer.text
            if answer.headers["content-security-policy"] == FRAME_POLICY:
                frames += 1
                drawings = {"<svg>"} if path.endswith("/report") else set()  # its own
                assert set(active_parts(answer.text)) <= drawings, path
                continue
            pages += answer.status_code == 200
            assert answer.headers["content-security-policy"] == POLICY
            assert run_parts(answer.text) == [], path
            assert "\u202e" not in answer.text, path
    # text cells and submitted outputs are on no page
    assert {place for place in PLACES if f"in the {place}" not in seen} == UNSEEN
    assert pages >= 30
    assert frames >= 15


# ---------------------------------------------------------------- requests


class Attack(NamedTuple):
    """A request, and how it may be refused. What must not come of any: a change, a session, an
    answer that fails (5xx), a redirect to another place, a header of the attacker's."""

    name: str
    act: Callable[[AttackedCourse], Any]
    answers: tuple[int, ...]


def raw_form(client: TestClient, kind: str, body: bytes, path: str = HAND_IN) -> Any:
    """A body that no browser would send."""
    return client.post(path, content=body, headers={"content-type": kind})


def one_field(name: str, value: bytes) -> bytes:
    """A form of several parts with one field."""
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
    return head.encode() + value + b"\r\n--x--\r\n"


def visit(on: AttackedCourse, session: str) -> Any:
    """An instructor's page with this session."""
    return on.with_session(session).get("/course")


def enter(client: TestClient, link: str, **fields: str) -> Any:
    return client.post("/sign-in", data={"link": link, **fields})


def ended_session(on: AttackedCourse) -> Any:
    client = on.course.client("Ina")
    secret = client.cookies[COOKIE]
    send(client, "/sign-out")
    return visit(on, secret)


def old_session(on: AttackedCourse) -> Any:
    client = on.later(SESSION_S + 60)
    client.cookies.set(COOKIE, on.ina.cookies[COOKIE])
    return client.get("/course")


def used_link(on: AttackedCourse) -> Any:
    secret = on.access.link("Ina", "instructor", once=True)
    assert enter(on.course.client(), secret).status_code == 303
    return enter(on.course.client(), secret)


def set_session(on: AttackedCourse) -> Any:
    """A session that somebody else knows is set before the victim signs in."""
    known = on.course.client("001").cookies[COOKIE]
    victim = on.with_session(known)
    link = on.access.link("Ina", "instructor", once=True)
    assert enter(victim, link, csrf=token(victim, HAND_IN)).status_code == 303
    return visit(on, known)


def made_up_session(on: AttackedCourse) -> Any:
    link = on.access.link("Ina", "instructor", once=True)
    assert enter(on.with_session("known"), link).status_code == 303
    return visit(on, "known")


def foreign_sign_in(on: AttackedCourse) -> Any:
    form = {"link": on.access.link("001", "student")}
    origin = {"origin": "https://evil.example"}
    return on.course.client().post("/sign-in", data=form, headers=origin)


def old_form(on: AttackedCourse) -> Any:
    """The token of a session that has ended, in the next one of the same person."""
    client = on.course.client("Gil")
    form = token(client, "/grade")
    send(client, "/sign-out")
    return on.course.client("Gil").post("/grade", data={"csrf": form, "hide": "1"})


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def link_of(on: AttackedCourse) -> str:
    return on.access.link("Ina", "instructor")


AS_A_SESSION: dict[str, Callable[[AttackedCourse], Any]] = {
    "a session that is made up": lambda on: visit(on, "x" * 43),
    "a session's digest, as the database has it": (
        lambda on: visit(on, digest(on.ina.cookies[COOKIE]))
    ),
    "a link as a session": lambda on: visit(on, link_of(on)),
    "a session after signing out": ended_session,
    "a session after its time": old_session,
    "a session that was set before the sign-in": set_session,
    "a made-up session that was set before the sign-in": made_up_session,
}
AS_A_LINK: dict[str, Callable[[AttackedCourse], Any]] = {
    "a session as a link": lambda on: enter(on.course.client(), on.ina.cookies[COOKIE]),
    "a link for once, a second time": used_link,
    "a link after its time": lambda on: enter(on.later(LINK_S + 60), link_of(on)),
    "a sign-in from another site": foreign_sign_in,
    "a sign-in over somebody's session, without its token": (
        lambda on: enter(on.one, on.access.link("002", "student"))
    ),
    "a form of the session before": old_form,
}
SESSIONS = [
    *(Attack(name, act, (303,)) for name, act in AS_A_SESSION.items()),
    *(Attack(name, act, (403,)) for name, act in AS_A_LINK.items()),
    Attack(
        "opening a link is no sign-in",
        lambda on: on.nobody.get("/sign-in", params={"link": link_of(on)}),
        (200,),
    ),
]


OWN_FORMS = [row for row in PAGES if row.method == "POST" and row.roles and not row.foreign]
HOME = {"student": HAND_IN, "grader": "/grade", "instructor": "/course"}


def forged(row: PageRoute, csrf: str, origin: str, on: AttackedCourse) -> Any:
    """A form as another site could make a browser send it. ``csrf``: whose token it has."""
    client = on.of(row)
    tokens = {"": "", "another's": token(on.two, HAND_IN)}
    own = token(client, HOME[row.roles[0]])
    headers = {"origin": origin} if origin else {}
    return client.post(filled(row), data={"csrf": tokens.get(csrf, own)}, headers=headers)


def as_address(row: PageRoute, on: AttackedCourse) -> Any:
    """A form that is sent as a link."""
    client = on.of(row)
    form = {"csrf": token(client, HOME[row.roles[0]]), "state": "draft", "hide": "1", "taken": ""}
    return client.get(filled(row), params=form)


FORMS = [
    Attack(f"{row.path}: {name}", lambda on, a=(row, csrf, origin): forged(*a, on), (403,))
    for row in OWN_FORMS
    for name, csrf, origin in (
        ("no token", "", ""),
        ("another's token", "another's", ""),
        ("another site's form", "own", "https://evil.example"),
        ("a form of a frame without origin", "own", "null"),
        ("a site whose name begins like ours", "own", f"{BASE}.evil.example"),
        ("our name in another's address", "own", "http://testserver@evil.example"),
        ("an origin that is none", "own", "http://[evil"),
    )
] + [
    Attack(f"{row.path}: sent as a link", lambda on, row=row: as_address(row, on), answers)
    for row in OWN_FORMS
    for answers in ((200, 303, 403, 404, 405),)
]


def as_other(on: AttackedCourse, row: PageRoute, role: str) -> Any:
    """Somebody whose role has no such page."""
    client = {"student": on.one, "grader": on.gil}[role]
    form = {"csrf": token(client, HOME[role])} if row.method == "POST" else None
    return client.request(row.method, filled(row), data=form)


FORGED_REQUEST = {"student": "002", "exercise": "sums", "text": "", "points": "4"}
OTHERS = [
    *(
        Attack(
            f"{row.method} {row.path}: a {role}", lambda on, a=(row, role): as_other(on, *a), (403,)
        )
        for row in PAGES
        for role in ("student", "grader")
        if row.roles != ANYBODY and role not in row.roles
    ),
    *(
        Attack(f"another student's {path}", lambda on, path=path: on.one.get(path), (404,))
        for path in (
            "/attempts/2",
            "/attempts/2/events",
            "/requests/2",
            "/attempts/3",
            "/attempts/0",
        )
    ),
    Attack(
        "a message in another student's thread",
        lambda on: send(on.one, "/requests/2", text="Hello."),
        (404,),
    ),
    Attack(
        "names and points that students are not asked for",
        lambda on: send(on.one, f"{HAND_IN}/requests", **FORGED_REQUEST),
        (422,),
    ),
]


REDIRECTS = (
    [
        Attack(
            f"{name}: {path}",
            lambda on, p=path, h=host: on.gil.get(p, headers={"host": h}),
            answers,
        )
        for name, path, host, answers in (
            ("another host, and a slash", "/grade/", "evil.example", (404,)),
            ("another host", "/", "evil.example", (303,)),
            ("a host that is none", "/grade/", "[::1", (404,)),
            ("an address to go on to", "/?next=//evil.example", "testserver", (303,)),
            (
                "an answer that was skipped",
                f"{TASK}?after=//evil.example",
                "testserver",
                (200, 303),
            ),
            ("a header in it", f"{TASK}?after=%0d%0aX-Owned:%201", "testserver", (200, 303)),
        )
    ]
    + [
        Attack(
            f"a format that is a header: {name!r}",
            lambda on, name=name: send(
                on.ina, "/export/tiny", format=name, do="download", title="T", item_id="7"
            ),
            (422,),
        )
        for name in ("canvas\r\nX-Owned: 1", 'canvas"; filename="x.html', "../canvas", "")
    ]
    + [
        Attack("methods that there are not", lambda on, m=m: on.gil.request(m, "/grade"), (405,))
        for m in ("PUT", "DELETE", "TRACE", "PATCH", "OPTIONS")
    ]
)


BODIES = [
    Attack(
        f"a form in {charset.encode()!r}",
        lambda on, c=charset, path=path, name=name: raw_form(
            on.course.client("Gil"),
            f"multipart/form-data; boundary=x; charset={c}",
            one_field(name, b"\\ud800\xff"),
            path,
        ),
        (400,),
    )
    for charset in ("unicode_escape", "raw_unicode_escape", "undefined", "a\x00b", "idna", "utf-7")
    for path, name in (("/grade", "csrf"), ("/sign-in", "link"))
] + [
    Attack(name, lambda on, a=(kind, body): raw_form(on.one, *a), answers)
    for name, kind, body, answers in (
        ("no kind", "", b"csrf", (403,)),
        ("JSON", "application/json", b"{}", (403,)),
        ("no boundary", "multipart/form-data", b"--x", (400,)),
        ("an empty boundary", "multipart/form-data; boundary=", b"--x", (400,)),
        ("surrogates", URLENCODED, b"csrf=%ED%A0%80&%ff=%00", (403,)),
        ("fifty thousand fields", URLENCODED, b"a=&" * 50_000, (400,)),
        ("20 MB of separators", URLENCODED, b"&" * MAX_UPLOAD, (413,)),
        ("20 MB of text", "text/plain", b"a" * MAX_UPLOAD, (403,)),
        (
            "a header of 20 MB",
            "multipart/form-data; boundary=x",
            b"--x\r\nA: " + b"b" * MAX_UPLOAD,
            (400,),
        ),
        (
            "three million headers",
            "multipart/form-data; boundary=x",
            b"--x\r\n" + b"A: b\r\n" * 3_000_000,
            (400,),
        ),
        ("a form that ends early", "multipart/form-data; boundary=x", b"--x\r\nA", (400, 403)),
        (
            "a field of 1 MB",
            "multipart/form-data; boundary=x",
            one_field("text", b"a" * 5 * MAX_FORM),
            (400,),
        ),
    )
]


def decided(on: AttackedCourse, **fields: str) -> Any:
    return send_as_seen(on.ina, "/students/tiny/of/001", why="So.", **fields)


def graded_with(on: AttackedCourse, **fields: str) -> Any:
    path = on.gil.get(TASK).headers["location"]
    return send(on.gil, path, **{"seen": "None/", "item-cause": "1", **fields})


NUMBERS = ("9e999999", "NaN", "sNaN", "Infinity", "9" * 5000, "\x00")
VALUES = [
    Attack(f"{field} {text[:20]!r}", lambda on, a=(act, text): a[0](on, a[1]), (422,))
    for field, act, texts in (
        (
            "due",
            lambda on, text: decided(on, kind="extend", until=text),
            ("0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00", "\x00", "9" * 5000),
        ),
        (
            "points",
            lambda on, text: decided(on, kind="extra", points=text),
            (*NUMBERS, "-9e999999", "1e-999999"),
        ),
        (
            "adjustment",
            lambda on, text: graded_with(on, adjustment=text),
            (*NUMBERS, "9.99e999999", "1_0"),
        ),
    )
    for text in texts
]
REQUESTS = {
    "sessions and links": SESSIONS,
    "forms of other sites": FORMS,
    "other people's pages": OTHERS,
    "redirects and headers": REDIRECTS,
    "bodies": BODIES,
    "values": VALUES,
}


def harm(answer: Any) -> str:
    """What an answer has that it must not have."""
    place = answer.headers.get("location", "")
    if answer.status_code >= 500:
        return f"it failed: {answer.status_code}"
    if place and not re.match(r"/(?![/\\])", place):
        return f"it leads to {place}"
    if "x-owned" in answer.headers or "X-Owned" in answer.headers.get("content-disposition", ""):
        return "a header of the attacker's"
    if COOKIE in answer.headers.get("set-cookie", ""):
        return "a session"
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("kind", REQUESTS)
def test_an_attack_comes_to_nothing(hostile: AttackedCourse, kind: str) -> None:
    before, succeeded = hostile.state(), {}
    for attack in REQUESTS[kind]:
        hostile.course.services.failed_sign_ins._tries.clear()
        try:
            answer = attack.act(hostile)
        except Exception as bad:
            succeeded[attack.name] = f"it failed: {bad!r}"
            continue
        if found := harm(answer):
            succeeded[attack.name] = found
        elif answer.status_code not in attack.answers:
            succeeded[attack.name] = f"answered: {answer.status_code}"
    assert succeeded == {}
    assert hostile.state() == before


# ---------------------------------------------------------------- addresses

ODD = (
    *("..", "%2e%2e", "..%2f..%2fcourse.db", "%252e%252e%252fcourse.db", "..%5c..%5ccourse.db"),
    *("%00", "tiny%00.toml", "%0d%0aX-Owned:%201", "%ff%fe", "%c0%ae%c0%ae", "%u002e"),
    *("//evil.example", "%2f%2fevil.example", "\\evil.example", "%7b7*7%7d", "'%20or%201=1--"),
    *("-1", "1e3", "0x1", "%d9%a1", "9" * 20, "9" * 5000, "a" * 5000),
)
PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
ADDRESSES = [
    (row, found[0], odd) for row in PAGES for found in PARAMETER.finditer(row.path) for odd in ODD
]


@pytest.mark.slow
def test_an_odd_address_is_no_page(hostile: AttackedCourse) -> None:
    before, succeeded = hostile.state(), {}
    with serving(hostile.course) as address:
        for row, parameter, odd in ADDRESSES:
            client = hostile.of(row)
            path = filled(row._replace(path=row.path.replace(parameter, odd)))
            body = f"csrf={token(client, HOME[row.roles[0]])}" if row.method == "POST" else None
            session = client.cookies.get(COOKIE, "")
            headers = {"Cookie": f"{COOKIE}={session}", "Content-Type": URLENCODED}
            link = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
            link.request(row.method, path, body, headers)
            answer = link.getresponse()
            text, found = answer.read(), ""
            link.close()
            if answer.status not in (400, 403, 404, 405):
                found = f"answered: {answer.status}"
            elif b"SQLite" in text or b"BEGIN SOLUTION" in text:
                found = "it shows a file"
            elif answer.headers["X-Owned"] or answer.headers["Location"]:
                found = "a header of the attacker's"
            if found:
                succeeded[f"{row.method} {row.path}: {parameter} is {odd[:40]}"] = found
    assert succeeded == {}
    assert hostile.state() == before


# ---------------------------------------------------------------- uploads


def bomb() -> bytes:
    """A zip archive of 300 kB that holds 300 MB."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("work.ipynb", bytes(300_000_000))
    return made.getvalue()


def cells(count: int) -> bytes:
    one = b'{"cell_type":"code","source":""}'
    return b'{"cells":[' + b",".join([one] * count) + b'],"nbformat":4,"nbformat_minor":5}'


BOMBS: dict[str, tuple[str, Callable[[], bytes], tuple[int, ...]]] = {
    "a zip bomb that is a notebook": ("a.ipynb", bomb, (422,)),
    "a zip bomb that is a script": ("a.py", bomb, (422,)),
    "a zip bomb that is a zip": ("a.zip", bomb, (422,)),
    "lists a million deep": ("a.ipynb", lambda: b"[" * 10**6, (422,)),
    "objects a million deep": ("a.ipynb", lambda: b'{"a":' * 10**6, (422,)),
    "a number of ten million digits": ("a.ipynb", lambda: b"9" * 10**7, (422,)),
    "half a million cells": ("a.ipynb", lambda: cells(500_000), (422,)),
    "five million objects": ("a.ipynb", lambda: b"[" + b"{}," * 5 * 10**6 + b"{}]", (422,)),
    "a script of line ends": ("a.py", lambda: b"\n" * MAX_UPLOAD, (422,)),
    "a script of quotes": ("a.py", lambda: b'"""' * 3 * 10**6, (422,)),
    "20 MB and a byte": ("a.ipynb", lambda: cells(1) + b" " * MAX_UPLOAD, (413, 422)),
    "20 MB and a form": ("a.ipynb", lambda: b" " * (MAX_UPLOAD + MAX_FORM), (413,)),
    "a program": ("a.exe", lambda: b"MZ", (422,)),
    "a page": ("a.html", lambda: b"<script>alert(1)</script>", (422,)),
}
NAMES = (
    *("../../../etc/passwd.py", "..\\..\\course.db.py", "C:\\x\\y.py", "/etc/cron.d/x.py"),
    *("a\r\nX-Owned: 1.py", "a\x00b.py", 'a"; filename="x.html.py', "\u202eyp.ipynb.py"),
    *("%2e%2e%2fx.py", "con.py", "~/.ssh/x.py", "=cmd|'/c calc'!A1.py"),
)


@pytest.fixture
def fresh(tmp_path: Path) -> ServedCourse:
    return served_course(tmp_path / "course", per_day=100)


@pytest.mark.slow
def test_a_bomb_is_no_attempt(fresh: ServedCourse) -> None:
    client, succeeded = fresh.client("001"), {}
    for name, (file, data, answers) in BOMBS.items():
        answer = hand_in(client, data(), file)
        if answer.status_code not in answers:
            succeeded[name] = answer.status_code
    two = [("file", ("a.py", b"x = 1")), ("file", ("b.py", b"x = 1"))]
    form = {"csrf": token(client, HAND_IN)}
    assert client.post(HAND_IN, data=form, files=two).status_code == 400
    assert succeeded == {}
    assert fresh.services.queue.attempts("tiny", "001") == ()


def test_a_file_name_is_words(fresh: ServedCourse, tmp_path: Path) -> None:
    client = fresh.client("001")
    for number, name in enumerate(NAMES):
        answer = hand_in(client, script(f"Answer {number}."), name)
        assert (harm(answer), answer.status_code) == ("", 303), name
    attempts = fresh.services.queue.attempts("tiny", "001")
    assert len(attempts) == len(NAMES)
    assert [one.file for one in attempts if re.search(r"[/\\\x00-\x1f]", one.file)] == []
    kept = {
        path for path in tmp_path.rglob("*") if path.is_file() and b"Answer" in path.read_bytes()
    }
    uploads = fresh.services.uploads.folder
    assert {path for path in kept if uploads not in path.parents} <= {
        path for path in kept if path.name.startswith("course.db")
    }
    page = client.get(HAND_IN).text
    assert run_parts(page) == []
    assert "\u202e" not in page


SLOW = 50  # connections


def test_slow_bodies_hold_nobody_up(fresh: ServedCourse) -> None:
    client = fresh.client("001")
    head = (
        f"POST {HAND_IN} HTTP/1.1\r\nHost: x\r\nCookie: {COOKIE}={client.cookies[COOKIE]}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n--x"
    )
    with serving(fresh) as address:
        place, _, port = address.removeprefix("http://").partition(":")
        links = [socket.create_connection((place, int(port)), timeout=60) for _ in range(SLOW)]
        try:
            for link in links:
                link.sendall(head.encode())
            other = http.client.HTTPConnection(place, int(port), timeout=20)
            other.request("GET", "/sign-in")
            assert other.getresponse().status == 200
            other.close()
        finally:
            for link in links:
                link.close()
    assert fresh.services.queue.attempts("tiny", "001") == ()


# ---------------------------------------------------------------- the count

COUNT = (
    sum(len(attacks) for attacks in REQUESTS.values())
    + len(ADDRESSES)
    + len(PLACES)
    + len(BOMBS)
    + len(NAMES)
    + 3  # two files, slow bodies, a page in a frame
)


def test_the_documentation_counts_them() -> None:
    page = (Path(__file__).parents[2] / "docs/isolation.md").read_text()
    assert f"{COUNT} attacks" in page
