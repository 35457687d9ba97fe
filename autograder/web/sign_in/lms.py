"""What an LMS offers a tool beside launches: the list of people (Names and Role Provisioning
Services 2.0), and a column for each assignment's scores (Assignment and Grade Services 2.0).

Covered: the token goes to the hosts that a signed launch has named; an LMS that is slow or refuses.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from requests import RequestException

from autograder.assignment.model import Assignment
from autograder.errors import StoreError, UsageError
from autograder.files import write_atomic
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.rounding import number
from autograder.gradebook.standing import Standing
from autograder.interop.downloads.roster import check_id
from autograder.interop.lti.scores import SCOPE, Payload, Payloads, ags_payloads
from autograder.interop.lti.send import NOTHING_SENT, MessageDelivery, Patience, send
from autograder.web.sign_in.lti import LtiTool, role_of
from autograder.web.sign_in.pending import SignInError
from autograder.web.sign_in.tokens import TIMEOUT_S
from autograder.wire.types import resolved

MEMBERS_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
MEMBERS_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
ITEMS_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
ITEMS_TYPE = "application/vnd.ims.lis.v2.lineitemcontainer+json"
ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
SCOPES = (MEMBERS_SCOPE, ITEMS_SCOPE, SCOPE)
TAG = "autograder"
PAGES = 1000
AT_ONCE = 20  # messages
SENDING_S = 25.0  # of one request; a proxy waits for 60
HURRIED = Patience(timeout=10, attempts=2)


@dataclass(frozen=True, slots=True)
class ScoresSent:
    """``left``: messages for which the time was too short; ``nobody``: students without one."""

    deliveries: tuple[MessageDelivery, ...]
    left: int
    nobody: int


def members_roster(tool: LtiTool, roster: Roster) -> Roster:
    """The students whom the LMS lists, with the ids that they have here; raises ``SignInError``."""
    url = tool.addresses().members
    if not url:
        raise SignInError(_NOT_OFFERED.format("list of people"))
    members: list[Any] = []
    with _session(tool, MEMBERS_SCOPE) as session:
        for _ in range(PAGES):
            answer = session.get(url, headers={"Accept": MEMBERS_TYPE})
            answer.raise_for_status()
            members += answer.json()["members"]
            after = str(answer.links.get("next", {}).get("url", ""))
            # The token goes to the LMS alone.
            if not after or urlsplit(after)[:2] != urlsplit(url)[:2]:
                break
            url = after
    people = tuple(_people(members, roster))
    if not people:
        raise SignInError("The LMS lists no students: the roster stays as it is.", 502)
    return Roster(people)


def send_scores(
    tool: LtiTool,
    assignment: Assignment,
    standings: tuple[Standing, ...],
    roster: Roster,
    kept: Path,
) -> ScoresSent:
    """Send what the LMS does not have yet; ``kept`` remembers what it has accepted.

    Raises ``SignInError``, and ``StoreError`` for the file.
    """
    made = ags_payloads(standings, roster, timestamp=datetime.now(UTC))
    nobody = len(made.unmatched)
    if not made.payloads:
        return ScoresSent((), 0, nobody)
    url = tool.addresses().line_items
    if not url:
        raise SignInError(_NOT_OFFERED.format("gradebook"))
    until = time.monotonic() + SENDING_S
    with _session(tool, f"{ITEMS_SCOPE} {SCOPE}") as session:
        item = _line_item(session, url, assignment, standings[0])
        token = str(session.token["access_token"])
        return _sent(made, item, token, kept, until)


def _sent(made: Payloads, item: str, token: str, kept: Path, until: float) -> ScoresSent:
    accepted = _accepted(kept)
    deliveries: list[MessageDelivery] = []
    for start in range(0, len(made.payloads), AT_ONCE):
        if time.monotonic() > until:
            break
        some: tuple[Payload, ...] = made.payloads[start : start + AT_ONCE]
        try:
            sent = send(some, line_item=item, token=token, accepted=accepted, patience=HURRIED)
        except UsageError as bad:
            raise SignInError(f"The LMS gave an address that cannot be used: {bad}", 502) from None
        accepted = sent.accepted
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(kept, msgspec.json.encode(dict(accepted), order="sorted"))
        deliveries += sent.deliveries
        if any(one.outcome in ("unreached", "untried") for one in sent.deliveries):
            break
    return ScoresSent(tuple(deliveries), len(made.payloads) - len(deliveries), len(made.unmatched))


def _line_item(session: OAuth2Session, url: str, assignment: Assignment, standing: Standing) -> str:
    """The address of the assignment's column, which is made if there is none."""
    asked = {"resource_id": assignment.id, "tag": TAG}
    answer = session.get(url, params=asked, headers={"Accept": ITEMS_TYPE})
    answer.raise_for_status()
    for one in answer.json():
        if (one.get("resourceId"), one.get("tag")) == (assignment.id, TAG):
            return str(one["id"])
    most = number(standing.max_score)
    item = {"label": assignment.title, "scoreMaximum": most, "resourceId": assignment.id}
    body = msgspec.json.encode({**item, "tag": TAG})
    answer = session.post(url, data=body, headers={"Content-Type": ITEM_TYPE})
    answer.raise_for_status()
    return str(answer.json()["id"])


@contextmanager
def _session(tool: LtiTool, scope: str) -> Iterator[OAuth2Session]:
    """A session with an access token; whatever fails in it is a ``SignInError``."""
    own = tool.settings
    session = OAuth2Session(
        own.client_id,
        tool.key,
        token_endpoint_auth_method=PrivateKeyJWT.name,
        scope=scope,
        default_timeout=TIMEOUT_S,
    )
    session.max_redirects = 0
    proof = PrivateKeyJWT(own.token_audience or own.token_url, headers={"kid": tool.key.kid})
    session.register_client_auth_method(proof)
    try:
        with session:
            session.fetch_token(own.token_url, grant_type="client_credentials")
            yield session
    except AuthlibBaseError:
        raise SignInError(f"{own.name} does not give this server access.", 502) from None
    except (RequestException, ValueError, LookupError, TypeError, AttributeError):
        raise SignInError(f"{own.name} does not answer as it should. Try again.", 502) from None


def _people(members: list[Any], roster: Roster) -> Iterator[Person]:
    """The active students of a list, each once, as people of the roster."""
    students = {one["user_id"]: one for member in members if (one := _student(member))}
    known = {one.keys["lti_user_id"]: one for one in roster if "lti_user_id" in one.keys}
    # An address is not taken from somebody whom the LMS knows by id.
    new = [one for one in roster if "lti_user_id" not in one.keys]
    emails = Counter(one["email"].lower() for one in students.values() if "email" in one)
    by_email = {one.email.lower(): one for one in new if emails[one.email.lower()] == 1}
    by_id = {one.id: one for one in new}
    taken: set[str] = set()
    for user in sorted(students, key=lambda user: user not in known):
        said = students[user]
        found = known.get(user) or by_id.get(said.get("lis_person_sourcedid", ""))
        found = found or by_email.get(said.get("email", "").lower())
        person = _named(found or Person(said.get("lis_person_sourcedid", user)), said)
        if person.id in taken:
            person = msgspec.structs.replace(person, id=user)
        try:
            check_id(person.id, "the LMS")
        except UsageError as bad:
            raise SignInError(str(bad), 502) from None
        if person.id not in taken:
            taken.add(person.id)
            yield person


def _student(member: Mapping[str, Any]) -> dict[str, str]:
    """What is said of an active student; nothing of anybody else."""
    try:
        student = role_of(member["roles"]) == "student"
    except SignInError:
        return {}
    if not student or member.get("status", "Active") != "Active" or not member["user_id"]:
        return {}
    return {key: value for key, value in member.items() if isinstance(value, str) and value}


def _named(person: Person, said: Mapping[str, str]) -> Person:
    return msgspec.structs.replace(
        person,
        name=said.get("name", person.name),
        first_name=said.get("given_name", person.first_name),
        last_name=said.get("family_name", person.last_name),
        email=said.get("email", person.email),
        keys={**person.keys, "lti_user_id": said["user_id"]},
    )


def _accepted(kept: Path) -> Mapping[str, str]:
    try:
        if not kept.is_file():
            return NOTHING_SENT
        return msgspec.json.decode(kept.read_bytes(), type=resolved(dict[str, str]))
    except (OSError, msgspec.MsgspecError) as bad:
        raise StoreError(f"{kept}: cannot be read ({bad})") from None


_NOT_OFFERED = (
    "The LMS has not said where its {} is. Allow this tool to use it, then open the course from "
    "the LMS once."
)
