"""Where evidence is kept, as requested: a folder, or the URL of a remote store.

Covered: user names, passwords and tokens in a URL never leave this process: ``shown`` is displayed
and written, and ``clean`` removes them from messages of other packages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from autograder.errors import UsageError

GRADEBOOK = "AUTOGRADER_GRADEBOOK"  # the environment's URL of a gradebook
LOCAL = ("file", "local")
CONTAINER = ("abfs", "abfss")  # the part before the @ is a container here, and not a secret
HIDDEN = "***"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SLIP = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # of a URL, or of a folder with an odd name
_HOST = re.compile(r"[A-Za-z0-9._-]*(:[0-9]{0,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{0,5})?")
_LEAST_HIDDEN = 4  # characters: removing a shorter secret would only garble the text


@dataclass(frozen=True, slots=True)
class StoreUrl:
    """A remote store. ``shown``: its URL without user, password and token."""

    protocol: str
    shown: str
    user: str = ""
    password: str = ""

    def clean(self, text: str) -> str:
        """The text without the secrets of the URL."""
        for secret in (self.password, self.user):
            if len(secret) >= _LEAST_HIDDEN:
                text = text.replace(secret, HIDDEN)
        return text


def parsed(where: str) -> StoreUrl | Path:
    """Parse a URL, or make the path of a folder absolute.

    Raises ``UsageError``, whose message contains no secret.
    """
    if not _SCHEME.match(where):
        if "://" in where or "::" in where:
            raise UsageError(f"--evidence: {FORMS}; chained file systems are not supported")
        # A slip in a URL makes no folder.
        if _SLIP.match(where) and not Path(where).exists():
            raise UsageError(f"--evidence {where.partition(':')[0]}:...: {FORMS}")
        return Path(where).absolute()
    protocol, _, rest = where.partition("://")
    protocol = protocol.lower()
    if protocol in LOCAL:
        return Path("/", unquote(rest)) if rest.startswith("/") else Path(rest).absolute()
    try:
        split = urlsplit(where)
    except ValueError:
        raise UsageError(f"--evidence {protocol}://...: this is not a valid URL; {FORMS}") from None
    before, at, host = split.netloc.rpartition("@")
    user, _, password = before.partition(":")
    if not _HOST.fullmatch(host) or (not at and "@" in split.path and ":" in split.netloc):
        raise UsageError(
            f"--evidence {protocol}://...: the bucket or host name is missing or invalid; "
            "in a user name or password, write / as %2F and @ as %40"
        )
    if split.query or split.fragment:
        raise UsageError(
            f"--evidence {protocol}://{host}{split.path}: a ? or # is not supported; set options "
            f"in the environment, e.g. FSSPEC_{protocol.upper()}_KEY=..."
        )
    keep = f"{before}@" if protocol in CONTAINER and not password else ""
    shown = f"{protocol}://{keep}{host}{split.path.rstrip('/')}"
    hidden = ("", "") if keep else (unquote(user), unquote(password))
    return StoreUrl(protocol, shown, *hidden)


FORMS = "give a folder, or a URL of one file system, such as s3://BUCKET/PREFIX"


def written_down(where: str) -> str:
    """The place without secrets, suitable for a file; "" for "". Raises ``UsageError``."""
    place = parsed(where) if where else ""
    return place.shown if isinstance(place, StoreUrl) else str(place)
