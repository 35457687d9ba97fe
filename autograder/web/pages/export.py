"""Release and export (instructors): what a release would show, and files for other platforms.

A file is what `autograder export` writes with the same options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from starlette.datastructures import UploadFile
from starlette.responses import Response

from autograder.errors import AutograderError, StoreError
from autograder.interop.class_export import export_class
from autograder.interop.exports.model import Exported, Mention, Options
from autograder.interop.feedback_zip import feedback_upload
from autograder.interop.score_formats import FORMATS, Format, says_something
from autograder.web.exports import Exports, LastExport, RowChange, row_changes, rows_of
from autograder.web.gradebook import ServedGradebook
from autograder.web.pages.students import gradebook
from autograder.web.visit import RefusedError, Visit

LABELS: Mapping[str, str] = MappingProxyType(
    {
        "title": "The assignment's title on the platform",
        "item_id": "The assignment's number on the platform",
        "sheet": "The file that the platform lets you download, to fill in",
        "encoding": "Encoding of that file, if it is not detected",
        "column": "Header of the grade column",
        "key": "Header, or kind, of the column that identifies students",
        "comments": "Also write comments",
        "comment_column": "Header of the comment column",
        "student": "The student's id",
    }
)
SHOWN = 20  # rows and students of a list


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a file would hold. ``left_out``: students without a row, by the reason;
    ``from_sheet``: whether a sheet was filled in, which a browser does not send again."""

    rows: int
    from_sheet: bool
    notes: tuple[str, ...]
    left_out: Mapping[str, list[str]]
    last: LastExport | None
    changes: list[RowChange]


def overview(visit: Visit) -> Response:
    """The counts of a release, and the formats; ``?format=NAME`` asks for its options."""
    name = visit.request.query_params.get("format", "")
    return _page(visit, gradebook(visit), name if name in FORMATS else "")


def make(visit: Visit) -> Response:
    """Show what a file would hold and what has changed, or download it."""
    book, name = gradebook(visit), visit.sent("format")
    if name not in FORMATS:
        raise RefusedError(422, "Choose a format.")
    options = _options(visit, name)
    problem = _missing(FORMATS[name], options)
    if problem:
        return _page(visit, book, name, problem=problem, status=422)
    try:
        made = export_class(name, book, options)
    except AutograderError as bad:
        if isinstance(bad, StoreError) and options.sheet is None:  # the course's own database
            raise
        return _page(visit, book, name, problem=_on_page(str(bad)), status=422)
    exports = Exports(book.workspace.folder)
    kind = f"{name} {options.student}".strip()
    last, rows = exports.last(kind), rows_of(made, book.standings(), options)
    if not says_something(name, made):
        run = _dry_run(made, rows, last, options)
        problem = "There is no score to write."
        return _page(visit, book, name, problem=problem, run=run, status=422)
    if visit.sent("do") != "download":
        return _page(visit, book, name, run=_dry_run(made, rows, last, options))
    who = visit.who
    exports.keep(kind, LastExport(datetime.now(UTC), who.person, rows))
    visit.services.access.audit(who.person, who.role, f"exported {kind}", book.assignment.id)
    return _download(made.data, f"{book.assignment.id}-{name}{FORMATS[name].suffix}")


def feedback(visit: Visit) -> Response:
    """Download everybody's feedback page, named after the student."""
    book, who = gradebook(visit), visit.who
    upload = feedback_upload("plain", book)
    if not upload.pages:
        raise RefusedError(422, "There is no feedback page yet.")
    visit.services.access.audit(who.person, who.role, "exported feedback", book.assignment.id)
    return _download(upload.data, f"{book.assignment.id}-feedback.zip")


def _page(
    visit: Visit,
    book: ServedGradebook,
    name: str,
    *,
    problem: str = "",
    run: DryRun | None = None,
    status: int = 200,
) -> Response:
    return visit.page(
        "export.html.j2",
        assignment=book.assignment,
        state=visit.services.states.of(book.assignment.id),
        taken=book.assignment.id not in visit.services.requests.refused(),
        counts=Counter(one.state for one in book.standings()),
        formats=FORMATS,
        chosen=name,
        lms=visit.services.ways.lms,
        fields=_fields(FORMATS[name]) if name else (),
        needs=FORMATS[name].needs if name else (),
        labels=LABELS,
        form={key: visit.sent(key) for key in LABELS},
        graded=bool(book.grades()),
        problem=problem,
        run=run,
        shown=SHOWN,
        status=status,
    )


def _fields(form: Format) -> tuple[str, ...]:
    """What is asked of people; the rest is known."""
    return tuple(one for one in (*form.needs, *form.instead, *form.takes) if one in LABELS)


def _options(visit: Visit, name: str) -> Options:
    fields = _fields(FORMATS[name])
    given: dict[str, Any] = {
        one: visit.sent(one).strip() for one in fields if one not in ("sheet", "comments")
    }
    if "comments" in fields:
        given["comments"] = bool(visit.sent("comments"))
    file = visit.form.get("sheet")
    if "sheet" in fields and isinstance(file, UploadFile) and file.filename:
        given["sheet"], given["sheet_name"] = file.file.read(), file.filename
        file.file.close()
    if "timestamp" in FORMATS[name].needs:
        given["timestamp"] = datetime.now(UTC)
    return Options(**given)


def _missing(form: Format, options: Options) -> str:
    """What has to be filled in first, in words."""
    lacking = [one for one in _fields(form) if one in form.needs and not getattr(options, one)]
    instead = [one for one in form.instead if not getattr(options, one)]
    words = [LABELS[one] for one in lacking]
    if options.sheet is None and instead:
        words.append(f"{LABELS['sheet']} (or: {'; '.join(LABELS[one] for one in instead)})")
    return f"Fill in: {'; '.join(words)}." if words else ""


def _on_page(text: str) -> str:
    """A message with the fields of the page for options of the command."""
    for field in sorted(LABELS, key=len, reverse=True):
        text = text.replace(f"--{field.replace('_', '-')}", f"'{LABELS[field]}'")
    return text


def _dry_run(
    made: Exported, rows: Mapping[str, str], last: LastExport | None, options: Options
) -> DryRun:
    left_out: dict[str, list[str]] = {}
    mentions: tuple[Mention, ...] = (*made.left_blank, *made.unmatched)
    for mention in mentions:
        left_out.setdefault(mention.reason, []).append(mention.student)
    changes = row_changes(last.rows, rows) if last is not None else []
    from_sheet = options.sheet is not None
    return DryRun(len(made.written), from_sheet, made.notes, left_out, last, changes)


def _download(data: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)
