"""The LMS: launches (LTI 1.3), what its administrator enters, the roster, scores."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import JSONResponse, Response

from autograder.web.pages import sign_in
from autograder.web.pages.students import gradebook
from autograder.web.sign_in.lms import SCOPES, members_roster
from autograder.web.sign_in.lms import send_scores as sent_scores
from autograder.web.sign_in.lti import LAUNCH, Launch, LtiTool
from autograder.web.sign_in.pending import SignInError
from autograder.web.visit import NotHereError, RefusedError, Visit, go_to

COOKIE = "autograder_lti"


def start(visit: Visit) -> Response:
    """The LMS begins a sign-in: go there with our request."""
    tool = _tool(visit)
    sent = visit.request.query_params if visit.request.method == "GET" else visit.form
    try:
        pending, url = tool.begin({k: v for k, v in sent.items() if isinstance(v, str)})
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    return sign_in.go_elsewhere(visit, url, COOKIE, pending, LAUNCH, posted=True)


def launch(visit: Visit) -> Response:
    """The LMS sends somebody."""
    tool = _tool(visit)
    pending = tool.pending(visit.request.cookies.get(COOKIE, ""))
    try:
        pending.check(visit.sent("state"))
        if not visit.sent("id_token"):
            raise SignInError("The LMS has refused the launch.")
        found = tool.launch(pending, visit.sent("id_token"), visit.services.store.roster())
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    made = visit.services.access.begin(found.person, found.role, by=tool.settings.issuer)
    response = sign_in.begin(visit, made, _first_page(visit, found))
    response.delete_cookie(
        COOKIE,
        path=visit.services.prefix + LAUNCH,
        secure=True,
        httponly=True,
        samesite="none",
    )
    return response


def keys(visit: Visit) -> Response:
    """The public key by which the LMS recognizes us."""
    return JSONResponse({"keys": [_tool(visit).key.as_dict(private=False)]})


def configuration(visit: Visit) -> Response:
    """What Canvas reads to make a key for a tool."""
    tool = _tool(visit)
    placement = {
        "placement": "course_navigation",
        "message_type": "LtiResourceLinkRequest",
        "target_link_uri": f"{tool.address}/",
        "text": "autograder",
        "windowTarget": "_blank",
    }
    settings = {"text": "autograder", "placements": [placement]}
    return JSONResponse(
        {
            "title": "autograder",
            "description": "Hand in notebooks, and see how they were graded.",
            "target_link_uri": f"{tool.address}/",
            "oidc_initiation_url": f"{tool.address}/lti/login",
            "public_jwk_url": f"{tool.address}/lti/keys",
            "scopes": list(SCOPES),
            "extensions": [
                {
                    "platform": "canvas.instructure.com",
                    "privacy_level": "public",
                    "settings": settings,
                }
            ],
        }
    )


def overview(visit: Visit) -> Response:
    """What the LMS's administrator enters, and what the LMS offers."""
    tool = _tool(visit)
    return visit.page(
        "lti.html.j2",
        lms=tool.settings.name,
        address=tool.address,
        offered=tool.addresses(),
        people=len(visit.services.store.roster()),
        assignments=visit.services.course.assignments(),
    )


def update_roster(visit: Visit) -> Response:
    """Take the roster from the LMS."""
    tool, store, who = _tool(visit), visit.services.store, visit.who
    try:
        found = members_roster(tool, store.roster())
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    store.enroll(found, at=datetime.now(UTC))
    about = f"{len(found)} people of {tool.settings.name}"
    visit.services.access.audit(who.person, who.role, "updated the roster", about)
    return go_to("/lti")


def send_scores(visit: Visit) -> Response:
    """Send the scores of a released assignment to the LMS."""
    tool, book, who = _tool(visit), gradebook(visit), visit.who
    if visit.services.states.of(book.assignment.id) != "released":
        raise RefusedError(422, "Release the results first.")
    kept = book.workspace.folder / "sent.json"
    try:
        sent = sent_scores(tool, book.assignment, book.standings(), book.roster(), kept)
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    visit.services.access.audit(who.person, who.role, "sent scores", book.assignment.id)
    return visit.page(
        "lti_sent.html.j2", assignment=book.assignment, lms=tool.settings.name, sent=sent
    )


def _first_page(visit: Visit, found: Launch) -> str:
    """The assignment that the launch names; never another address of its own."""
    assignments = visit.services.course.assignments()
    path = found.path
    known = found.role == "student" and path in {f"/assignments/{name}" for name in assignments}
    return path if known else "/"


def _tool(visit: Visit) -> LtiTool:
    tool = visit.services.ways.lti
    if tool is None:
        raise NotHereError
    return tool
