"""Style sheets and the script, from this package."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, Response

from autograder.reports.feedback.panel import TEMPLATES
from autograder.web.visit import NotHereError, Visit

_STATIC = Path(__file__).resolve().parents[1] / "static"
FILES = {
    "feedback.css": TEMPLATES / "style.css",  # the look of the feedback pages
    "course.css": _STATIC / "course.css",
    "course.js": _STATIC / "course.js",
}


def file(visit: Visit) -> Response:
    """One of the files."""
    path = FILES.get(visit.part("name"))
    if path is None:
        raise NotHereError
    return FileResponse(path, headers={"Cache-Control": "max-age=300"})
