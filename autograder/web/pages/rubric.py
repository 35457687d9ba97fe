"""Changed rubrics (graders): items with other points in the assignment than when they were chosen,
and the answers that change with them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime

from starlette.responses import Response

from autograder.interop.marksheet.answers import decisions_of
from autograder.interop.marksheet.model import PointsChange
from autograder.web.pages.grade import OutdatedPoints, hides_names, task_view
from autograder.web.visit import RefusedError, Visit, go_to

WHY = "rubric items have other points"


def show(visit: Visit) -> Response:
    """Whose points change because rubric items have other points in the assignment today."""
    view = task_view(visit)
    seen = _shown(view.outdated)
    return visit.page("grade_rubric.html.j2", view=view, seen=seen, hide=hides_names(visit))


def apply(visit: Visit) -> Response:
    """Give the answers with changed rubric items the points of today, if they were shown."""
    view, services = task_view(visit), visit.services
    outdated = view.outdated
    # A changed rubric changes those who were shown.
    if visit.sent("seen") != _shown(outdated):
        raise RefusedError(409, "This has changed since the page was opened. Look again.")
    changes = [PointsChange(one.row, one.points, one.row.comment, one.chosen) for one in outdated]
    who, now = visit.who.person, datetime.now(UTC)
    made = decisions_of(changes, assignment=view.assignment.id, who=who, why=WHY, at=now)
    services.store.decide(list(made))
    return go_to("/grade")


def _shown(outdated: Sequence[OutdatedPoints]) -> str:
    """What a page shows of changes, to notice others."""
    text = repr([(one.key, one.row.points, one.points, one.chosen) for one in outdated])
    return hashlib.sha256(text.encode()).hexdigest()
