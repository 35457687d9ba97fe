"""Moodle's two imports, sections 4.3 and 4.5 of the format page."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from tests.support.strict_readers.text import Rejected, number, once, rows

ENGLISH = ("Identifier", "Grade", "Last modified (grade)", "Maximum Grade", "Feedback comments")
GERMAN = tuple(
    "ID|Bewertung|Zuletzt geändert (Bewertung)|Bestwertung|Feedback als Kommentar".split("|")
)


@dataclass(frozen=True)
class Worksheet:
    grades: Mapping[str, Decimal]  # participant to what Moodle would store
    comments: Mapping[str, str]  # as text, not as HTML
    skipped: Mapping[str, str]  # participant to why


def worksheet(
    data: bytes,
    held: Mapping[str, Decimal],
    *,
    words: tuple[str, ...] = ENGLISH,
    encoding: str = "utf-8-sig",
    delimiter: str = ",",
) -> Worksheet:
    """What Moodle would take, given the grades that it holds."""
    table = rows(data, encoding=encoding, delimiter=delimiter)
    header = table[0]
    if any(word not in header for word in words[:3]):
        raise Rejected("the headers are not those of this language")
    place = {word: header.index(word) for word in words if word in header}
    grades: dict[str, Decimal] = {}
    comments: dict[str, str] = {}
    skipped: dict[str, str] = {}
    once([row[place[words[0]]] for row in table[1:]])
    for row in table[1:]:
        participant = row[place[words[0]]]
        if not re.fullmatch(r"\D*\d+", participant):
            raise Rejected(f"{participant!r} identifies nobody")
        text = row[place[words[1]]].strip()
        maximum = Decimal(row[place[words[3]]].replace(",", ".")) if words[3] in place else None
        why = _skips(text, maximum, held.get(participant))
        if why:
            skipped[participant] = why
        else:
            grades[participant] = Decimal(text.replace(",", "."))
        if words[4] in place and row[place[words[4]]]:
            comments[participant] = _text(row[place[words[4]]])
    return Worksheet(grades, comments, skipped)


def general(data: bytes, users: set[str], *, item: str) -> Mapping[str, Decimal]:
    """The general import: one wrong row and nothing is taken."""
    table = rows(data)
    key, title, *others = table[0]
    if key not in ("ID number", "Email address", "Username") or title != item:
        raise Rejected(f"{table[0]!r}: the columns cannot be mapped")
    if others not in ([], ["Feedback comments"]):
        raise Rejected(f"{others!r}: more columns than can be mapped")
    once([row[0] for row in table[1:]])
    if unknown := [row[0] for row in table[1:] if row[0] not in users]:
        raise Rejected(f"{unknown!r}: unknown users, so nothing is imported")
    return {row[0]: number(row[1]) for row in table[1:]}


def _skips(text: str, maximum: Decimal | None, held: Decimal | None) -> str:
    if text in ("", "-"):
        return "empty"
    try:
        grade = Decimal(text.replace(",", "."))
    except InvalidOperation:
        raise Rejected(f"{text!r} is no grade") from None
    if grade < 0:
        return "negative"
    if maximum is not None and grade > maximum:
        return "above the maximum"
    return "unchanged" if grade == held else ""


def _text(source: str) -> str:
    lines = source.split("<br>")
    if any(re.search(r"[<>]", line) for line in lines):
        raise Rejected(f"{source!r}: a comment with tags of its own")
    return "\n".join(html.unescape(line) for line in lines)
