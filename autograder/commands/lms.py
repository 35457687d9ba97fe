"""Commands that take results to a learning platform: export, return, send-scores."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from autograder.classroom.gradebook_of_class import open_book
from autograder.commands.console import (
    TREES,
    ResultsArg,
    UrlOption,
    contents,
    err,
    names,
    out,
    say,
)
from autograder.errors import StoreError, UsageError
from autograder.files import write_atomic
from autograder.interop.class_export import export_class
from autograder.interop.downloads.arrival import Platform
from autograder.interop.exports.model import Exported, Mention, Options
from autograder.interop.feedback_zip import feedback_upload
from autograder.interop.lti.scores import SCOPE, ags_payloads
from autograder.interop.lti.send import SentScores, send
from autograder.interop.score_formats import FORMATS, says_something

TOKEN = "AUTOGRADER_LTI_TOKEN"  # noqa: S105  the name of an environment variable


def export(
    form: Annotated[
        str, typer.Argument(metavar="FORMAT", help=f"One of: {', '.join((*FORMATS, TREES))}.")
    ],
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR", help=f"A folder that `grade` wrote; for {TREES}, one or more."
        ),
    ],
    file: Annotated[Path, typer.Option("--out", help="The file, or folder, to write.")],
    sheet: Annotated[
        Path | None, typer.Option(help="The file that the platform lets you download, to fill in.")
    ] = None,
    title: Annotated[str, typer.Option(help="The assignment's title on the platform.")] = "",
    item_id: Annotated[str, typer.Option(help="The assignment's number on the platform.")] = "",
    student: Annotated[
        str, typer.Option(help="Only this student (gradescope, prairielearn).")
    ] = "",
    column: Annotated[str, typer.Option(help="Header of the grade column.")] = "",
    key: Annotated[
        str, typer.Option(help="Header, or kind, of the column that identifies students.")
    ] = "",
    comments: Annotated[bool, typer.Option("--comments", help="Also write comments.")] = False,
    comment_column: Annotated[str, typer.Option(help="Header of the comment column.")] = "",
    encoding: Annotated[str, typer.Option(help="Encoding of --sheet, if it is not detected.")] = "",
    timestamp: Annotated[
        str, typer.Option(help="Timestamp of the messages, with a time zone (ags).")
    ] = "",
    zeros: Annotated[
        bool, typer.Option("--zeros", help=f"Count missing submissions as 0 ({TREES}).")
    ] = False,
    url: UrlOption = "",
) -> None:
    """Write grades as a file for a learning platform."""
    if form not in (*FORMATS, TREES):
        plain = "; gradebook.csv in DIR is CSV already" if form == "csv" else ""
        known = ", ".join((*FORMATS, TREES))
        raise UsageError(f"unknown format {form!r}{plain}; choose one of: {known}")
    if form == TREES:
        # these notebooks are written with torch; grades are written without
        from autograder.commands.packing import write_trees  # noqa: PLC0415

        write_trees(folders, file, url, zeros=zeros)
        return
    if len(folders) != 1:
        raise UsageError(f"{form}: give one folder that `grade` wrote, not {len(folders)}")
    with open_book(folders[0], url) as book:
        options = Options(
            title=title,
            item_id=item_id,
            sheet=contents(sheet) if sheet else None,
            sheet_name=sheet.name if sheet else "sheet",
            encoding=encoding,
            column=column,
            key=key,
            comments=comments,
            comment_column=comment_column,
            student=student,
            timestamp=_moment(timestamp),
        )
        made = export_class(form, book, options)
    _tell(made)
    if not says_something(form, made):
        raise UsageError(f"{form}: there is no score to write; {file} was not written")
    write_atomic(file, made.data)
    say(out, f"wrote {file}: {len(made.written)} with a score")


def return_(
    folder: ResultsArg,
    platform: Annotated[Platform, typer.Option("--to", help="The platform to return them to.")],
    file: Annotated[Path, typer.Option("--out", help="The .zip file to write.")],
    url: UrlOption = "",
) -> None:
    """Pack feedback pages so that a platform returns each to its student."""
    with open_book(folder, url) as book:
        upload = feedback_upload(platform, book)
    if upload.unplaced:
        say(
            err,
            f"{len(upload.unplaced)} pages cannot be uploaded to {platform}: "
            f"{names(upload.unplaced)}",
        )
    if not upload.pages:  # an empty package of feedback is not written
        why = (
            "none of them came in a download from it"
            if upload.unplaced
            else f"{folder}/feedback is empty"
        )
        raise UsageError(
            f"no page can be returned to {platform}; {file} was not written: {why}. "
            "Grade that platform's download, or use --to plain for a page named after each student"
        )
    write_atomic(file, upload.data)
    say(out, f"wrote {file}: {upload.pages} pages")


def send_scores(
    folder: ResultsArg,
    line_item: Annotated[str, typer.Option(help="URL of the line item (LTI AGS).")],
    comments: Annotated[bool, typer.Option("--comments", help="Also send comments.")] = False,
    url: UrlOption = "",
) -> None:
    """Send scores to a platform over LTI 1.3; reads the token from AUTOGRADER_LTI_TOKEN.

    Accepted scores are recorded and not sent again. Exit status 1 if a score was not accepted.
    """
    token = os.environ.get(TOKEN, "")
    if not token:
        raise UsageError(f"set {TOKEN} to an access token with the scope {SCOPE}")
    with open_book(folder, url) as book:
        made = ags_payloads(
            book.standings(), book.roster(), timestamp=datetime.now(UTC), comments=comments
        )
        memory = book.workspace.folder / "sent.json"
    sent = send(made.payloads, line_item=line_item, token=token, accepted=_accepted(memory))
    write_atomic(memory, json.dumps(dict(sent.accepted), indent=2, sort_keys=True).encode())
    _mentioned("not sent", (*made.left_blank, *made.unmatched))
    _conclude(sent)


def _conclude(sent: SentScores) -> None:
    counts = [delivery.outcome for delivery in sent.deliveries]
    said = ", ".join(f"{counts.count(word)} {word}" for word in dict.fromkeys(counts))
    if not said:
        raise UsageError("there is no score to send")
    say(out, said)
    for one in sent.lost:
        say(err, f"{one.student}: {one.outcome} ({one.status or 'no status'}: {one.reason})")
    if sent.lost:
        raise typer.Exit(1)


def _accepted(memory: Path) -> dict[str, str]:
    if not memory.is_file():
        return {}
    try:
        found = json.loads(memory.read_bytes())
        return {str(key): str(value) for key, value in found.items()}
    except (OSError, ValueError, AttributeError) as bad:
        raise StoreError(
            f"{memory}: cannot be read ({bad}); move it away to send everything again"
        ) from None


def _tell(made: Exported) -> None:
    for note in made.notes:
        say(err, f"note: {note}")
    _mentioned("no score", made.left_blank)
    _mentioned("not in the file", made.unmatched)


def _mentioned(what: str, mentions: Sequence[Mention]) -> None:
    reasons: dict[str, list[str]] = {}
    for mention in mentions:
        reasons.setdefault(mention.reason, []).append(mention.student)
    for reason, students in reasons.items():
        say(err, f"{what} ({len(students)}): {names(students)}. Reason: {reason}")


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"{text!r} is not a valid time; write it like 2026-11-03T23:59:00+01:00"
        ) from None
    if found.tzinfo is None:
        raise UsageError(f"{text!r} has no time zone; add an offset such as +01:00")
    return found
