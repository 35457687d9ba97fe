"""Progress that nobody watches."""

from __future__ import annotations

from autograder.classroom.known_mistakes import WorkProgress

QUIET = WorkProgress(lambda what, total: None, lambda part: None)
