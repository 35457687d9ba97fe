"""Every error that the trusted side raises on purpose.

* AutograderError
  x SpecError          the instructor's files are wrong; carries every problem found
  x SubmissionError    the submission cannot be read at all (not "is wrong")
  x SandboxError       the sandbox itself failed, so nothing may be concluded
  x BusyError          a run lacked time beside others; it is made again without them
  x EngineError        the place where jobs run is lost; the batch ends and can be continued later
  x StoreError         evidence or gradebook could not be read or written
  x StoppedError       somebody stopped the work; what was in progress does not count
  x UsageError         the command was asked for something that it cannot do
    x NotStoredError   a run is needed where only stored runs may be used

``wire.WireError`` is not in this tree: it belongs to the shared package and is always caught at the
border. A student's mistake is never an exception: it is a ``Verdict``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MEANT = " (did you mean "


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The word of ``known`` that is nearest to a mistyped one, to end its message; or nothing."""
    near = get_close_matches(given, list(known), 1)
    return f"{MEANT}{near[0]!r}?)" if near else ""


class AutograderError(Exception):
    """Base class, so that the command line can catch exactly our own errors."""


class SpecError(AutograderError):
    """An assignment is not well formed; ``problems`` holds every problem found, one line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class SubmissionError(AutograderError):
    """A submission could not be read; the text names the file, the place and the fix."""

    def to_author(self) -> str:
        """The text for somebody who reads their own notebook and has nothing to submit."""
        said = str(self)
        for to_student, to_author in (
            (", save it and submit it again", " and save it"),
            (" and submit it again", ""),
            ("that the right file was submitted", "that this is the right file"),
        ):
            said = said.replace(to_student, to_author)
        return said


class SandboxError(AutograderError):
    """The sandbox failed for a reason that is not the student's."""


class BusyError(AutograderError):
    """A run lacked time while others ran beside it. Nothing may be concluded before it has been
    made without them."""


class EngineError(AutograderError):
    """The cluster that runs jobs is lost, for all submissions. Finished work is kept."""


class StoreError(AutograderError):
    """Evidence or a gradebook could not be read or written."""


class StoppedError(AutograderError):
    """Somebody stopped the work: what was in progress does not count, finished work is kept."""


class UsageError(AutograderError):
    """The command line or a caller asked for something that does not exist."""


class NotStoredError(UsageError):
    """A run is needed, but no evidence of it is stored and nothing may be run."""
