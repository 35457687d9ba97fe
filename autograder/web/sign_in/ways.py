"""The ways to sign in that a server offers beside personal links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from autograder.errors import UsageError
from autograder.gradebook.database import Database
from autograder.web.access import CourseAccess
from autograder.web.course import Course
from autograder.web.sign_in.settings import Hub, SignInSettings

if TYPE_CHECKING:
    from autograder.web.sign_in.hub import HubSignIn
    from autograder.web.sign_in.lti import LtiTool
    from autograder.web.sign_in.openid import OpenIdProvider


@dataclass(frozen=True, slots=True)
class SignInWays:
    """What is offered; None: not that. ``prefix``: of every path of ours."""

    prefix: str = ""
    openid: OpenIdProvider | None = None
    lti: LtiTool | None = None
    hub: HubSignIn | None = None

    @property
    def lms(self) -> str:
        """The name of the LMS, "" without one."""
        return self.lti.settings.name if self.lti is not None else ""

    @property
    def names(self) -> Mapping[str, str]:
        """What the sign-in page offers: the server's name by the path where it begins."""
        names = {}
        if self.openid is not None:
            names["/openid"] = self.openid.settings.name
        if self.hub is not None:
            names["/jupyterhub"] = self.hub.settings.name
        return names


ONLY_BY_LINK = SignInWays()


def ways_to_sign_in(settings: SignInSettings, course: Course, database: Database) -> SignInWays:
    """What these settings ask for; raises ``UsageError``."""
    address = (settings.address or "").rstrip("/")
    access = CourseAccess(database)
    openid = None
    if settings.openid is not None:
        from autograder.web.sign_in.openid import OpenIdProvider  # noqa: PLC0415  an extra

        openid = OpenIdProvider(settings.openid, address, access)
    lti = None
    if settings.lti is not None:
        from autograder.web.sign_in.lti import LtiTool  # noqa: PLC0415  an extra

        lti = LtiTool(settings.lti, address, course.served, access)
    prefix, hub = urlsplit(address).path, None
    if settings.jupyterhub is not None:
        hub = _hub(settings.jupyterhub)
        if address and hub.prefix != prefix:
            raise UsageError(f"address: its path must be {hub.prefix!r}, which JupyterHub gives")
        prefix = hub.prefix
    return SignInWays(prefix, openid, lti, hub)


def _hub(settings: Hub) -> HubSignIn:
    try:
        from autograder.web.sign_in.hub import HubSignIn  # noqa: PLC0415  an extra
    except ModuleNotFoundError as lacking:
        raise UsageError(
            f"sign-in by JupyterHub needs its package ({lacking.name} is missing): "
            "pip install 'boxgrader[web-hub]'"
        ) from None
    return HubSignIn(settings)
