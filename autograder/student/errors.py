"""Errors shown without a traceback: the mistake is in the request to the Grader, not in code."""

from __future__ import annotations

from autograder.errors import UsageError


class GraderError(UsageError):
    """A sentence that says what is wrong and how to fix it."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback."""
        return str(self).split("\n")
