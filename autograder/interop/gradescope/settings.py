"""gradescope.json in the package: what the harness is to grade, and by which rules."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from autograder.errors import StoreError
from autograder.wire.types import resolved

FORMAT: Literal["autograder-gradescope/1"] = "autograder-gradescope/1"
Hidden = Literal["summary", "hidden", "after_due_date", "after_published"]
Require = Literal["weak", "medium", "strong"]
HIDDEN: tuple[Hidden, ...] = ("summary", "hidden", "after_due_date", "after_published")
MARGIN_S = 45.0  # for starting, judging and writing on a slow processor
LEAST_S = 60.0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``seed`` is that of the hidden inputs. ``limit_s``: what Gradescope allows for one
    submission; the harness ends ``margin_s`` earlier. ``memory_mb``: of the student's code, 0
    for the assignment's own limit. ``late``: whether our late policy is applied as well as what
    Gradescope says of lateness."""

    format: Literal["autograder-gradescope/1"]
    assignment: str
    seed: int
    hidden: Hidden = "summary"
    notebook: str = ""  # the expected file name, "" for the assignment's id
    limit_s: float = 600.0
    margin_s: float = MARGIN_S
    memory_mb: int = 0
    require: Require = "medium"
    late: bool = False

    @property
    def end_s(self) -> float:
        """Seconds from the harness's start to the end of all work."""
        return self.limit_s - self.margin_s


def settings_bytes(settings: Settings) -> bytes:
    return msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n"


def read_settings(path: Path) -> Settings:
    """The settings in a file. Raises ``StoreError`` for anything the package did not write."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=resolved(Settings))
    except (OSError, msgspec.MsgspecError, UnicodeError) as bad:
        raise StoreError(
            f"{path}: cannot be read ({bad}); build the package again with "
            "`autograder package gradescope` and upload it"
        ) from None
