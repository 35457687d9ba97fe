"""The settings file of `serve --sign-in`: who vouches for people, and what they may do here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from autograder.assignment.document import load_table
from autograder.errors import UsageError
from autograder.gradebook.people import KEYS, Person, Roster
from autograder.web.access import Role


def _secure(text: str) -> str:
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        host = None
    local = host in ("localhost", "127.0.0.1", "::1")
    if not host or not (parts.scheme == "https" or (local and parts.scheme == "http")):
        raise ValueError("write an address that begins with https://")
    return text


def _known_column(text: str) -> str:
    if text not in COLUMNS:
        raise ValueError(f"write one of {', '.join(COLUMNS)}")
    return text


COLUMNS = ("id", "email", *KEYS)
Address = Annotated[str, AfterValidator(_secure)]
Column = Annotated[str, AfterValidator(_known_column)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class People(_Table):
    """Whom a name that another server vouches for is here."""

    column: Column
    """the roster's column in which a student's name is found"""
    graders: list[str] = []
    instructors: list[str] = []

    def find(self, name: str, roster: Roster) -> tuple[str, Role] | None:
        """Somebody's own name and role here. A name that two students have is nobody's."""
        alike = _folded if self.column == "email" else str
        wanted = alike(name)
        if wanted in map(alike, self.instructors):
            return name, "instructor"
        if wanted in map(alike, self.graders):
            return name, "grader"
        found = [one for one in roster if wanted and alike(_value(one, self.column)) == wanted]
        return (found[0].id, "student") if len(found) == 1 else None


class OpenId(People):
    """A provider of OpenID Connect."""

    name: str
    """shown on the sign-in page"""
    issuer: Address
    client_id: str
    secret_env: str = ""
    """the environment variable that holds the client's secret"""
    secret_file: str = ""
    """the file that holds it"""
    claim: str = "email"
    """the claim by which people are known"""
    column: Column = "email"
    unverified_email: bool = False
    """whether an email address counts that the provider does not say it has verified"""

    def secret(self) -> str:
        """The client's secret; "" for a public client. Raises ``UsageError`` if it is missing."""
        if self.secret_file:
            try:
                return Path(self.secret_file).read_text("utf-8").strip()
            except (OSError, UnicodeError) as bad:
                raise UsageError(f"{self.secret_file}: cannot be read ({bad})") from None
        if self.secret_env and not os.environ.get(self.secret_env):
            raise UsageError(f"the environment variable {self.secret_env} is not set")
        return os.environ.get(self.secret_env, "") if self.secret_env else ""


class Lti(_Table):
    """An LMS, and the course there that this one is."""

    name: str
    issuer: Address
    client_id: str
    """what the LMS calls this tool"""
    deployment_ids: list[str]
    context: str = ""
    """the LMS's id of the course; the first launch shows it"""
    authorization_url: Address
    token_url: Address
    keys_url: Address
    token_audience: str = ""
    """the audience of what proves that we are the tool, if it is not token_url"""


class Hub(People):
    """The JupyterHub that started this server as one of its services."""

    name: str = "JupyterHub"
    column: Column = "id"


class SignInSettings(_Table):
    """The whole file."""

    address: Address | None = None
    """where browsers reach the server, with the path that a proxy adds"""
    openid: OpenId | None = None
    lti: Lti | None = None
    jupyterhub: Hub | None = None

    @model_validator(mode="after")
    def _has_an_address(self) -> Self:
        if (self.openid or self.lti) and not self.address:
            raise ValueError("write address: where browsers reach this server")
        return self


ONLY_LINKS = SignInSettings()


def read_settings(path: Path) -> SignInSettings:
    """The settings in a file; raises ``SpecError``."""
    return load_table(SignInSettings, path)


def _value(person: Person, column: str) -> str:
    return person.keys.get(column, "") if column in KEYS else str(getattr(person, column))


def _folded(text: str) -> str:
    """Letters count without case in ASCII only: other alphabets have letters that look alike."""
    return text.lower() if text.isascii() else text
