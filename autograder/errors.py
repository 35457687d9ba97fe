"""Every error the trusted side raises on purpose.

* AutograderError
  x SpecError          the instructor's files are wrong; carries every problem found
  x SubmissionError    the hand-in cannot be read at all (not "is wrong")
  x SandboxError       the sandbox itself failed, so nothing may be concluded
  x EngineError        the place where jobs run is lost; the batch ends and can go on later
  x StoreError         evidence or gradebook could not be read or written
  x StoppedError       somebody stopped the work; what was under way counts for nothing
  x UsageError         the command was asked for something it cannot do
    x NotStoredError   a run was asked for where only stored ones count

``wire.WireError`` stands apart: it lives in the shared package and is always caught at
the border. A student's mistake is never an exception: it is a ``Verdict``.
"""

from __future__ import annotations

from collections.abc import Sequence


class AutograderError(Exception):
    """Base class, so that the command line can catch exactly our own errors."""


class SpecError(AutograderError):
    """An assignment is not well formed; ``problems`` holds every one found, one line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class SubmissionError(AutograderError):
    """A hand-in could not be read; the text names the file, the place and the remedy."""


class SandboxError(AutograderError):
    """The sandbox failed for a reason that is not the student's."""


class EngineError(AutograderError):
    """The cluster that runs jobs is lost, for all hand-ins alike. Nothing that is done is lost."""


class StoreError(AutograderError):
    """Evidence or a gradebook could not be read or written."""


class StoppedError(AutograderError):
    """Somebody stopped the work: what was under way counts for nothing, what is done stays."""


class UsageError(AutograderError):
    """The command line or a caller asked for something that does not exist."""


class NotStoredError(UsageError):
    """A run is wanted of which no evidence is stored, where nothing may be run."""
