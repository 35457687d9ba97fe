"""Writes the reference of assignment.toml and course.toml from the models that read them.

``python -m docs.tools.reference --write docs/reference.md``; a test asks that the file is up to
date. What a key means is the text below its field in ``autograder/assignment/``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.assignment.course import CourseSpec
from autograder.assignment.kinds import BROUGHT, CHECKS, CheckBase
from autograder.assignment.model import Assignment
from autograder.assignment.schema import json_schema

Schema = Mapping[str, Any]

HEAD = """\
# Reference

Every key of [assignment.toml](#assignmenttoml) and [course.toml](#coursetoml), and what it may
hold. A key that is not listed is an error. [Kinds of checks](checks.md) has an example of each
kind; [How to](howto.md) explains the rest. `autograder schema` prints the same as JSON Schema, for
editors that complete and check TOML.

This page is generated: `python -m docs.tools.reference --write docs/reference.md`.
"""
INSIDE = """\
These are written in place, one as `tolerance = { rtol = 0, atol = 1e-6, why = "..." }`, several as
`large_loss = [{ mistakes = ["base_*"], why = "..." }]`.
"""
# The tables of assignment.toml in the order of this page: heading, class.
TABLES = {
    "Assignment": "assignment.toml",
    "Exercise": "`[[exercise]]`",
    "LimitsSpec": "`[limits]`",
    "LateSpec": "`[late]`",
    "NotebookSpec": "`[notebook]`",
    "ValidateSpec": "`[validate]`",
    "BroughtSpec": "`[brought]`",
}
PARTS = {
    "Tolerance": "`tolerance` tables",
    "CallSpec": "`calls` tables",
    "PipelinePart": "`parts` tables",
    "RubricItem": "`rubric_items` tables",
    "CarriedResult": "`carried` tables",
    "FrameRules": "`frame` tables",
    "LargeLoss": "`large_loss` tables",
    "DoctestExample": "`examples` tables",
}
COURSE = {"CourseSpec": "course.toml", "CourseAssignment": "`[[assignment]]`"}
KINDS = {check.__name__: check.model_fields["kind"].annotation.__args__[0] for check in CHECKS}  # type: ignore[union-attr]


def page() -> str:
    """The whole page."""
    schema, course = json_schema(Assignment), json_schema(CourseSpec)
    known = {"Assignment": schema, "CourseSpec": course, **course["$defs"], **schema["$defs"]}
    known["CheckBase"] = json_schema(CheckBase)
    every = set(known["CheckBase"]["properties"])
    sections = [HEAD]
    for name, title in TABLES.items():
        sections += [f"{'##' if name == 'Assignment' else '###'} {title}", *_section(known[name])]
    sections += [
        "## Checks",
        "`[[exercise.check]]`. Every check has these keys, and those of its kind:",
    ]
    sections += [_table(known["CheckBase"]), *_kinds(known, every)]
    sections += ["## Tables in checks and exercises", INSIDE]
    for name, title in PARTS.items():
        sections += [f"### {title}", *_section(known[name])]
    for name, title in COURSE.items():
        sections += [f"{'##' if name == 'CourseSpec' else '###'} {title}", *_section(known[name])]
    return "\n\n".join(section.strip() for section in sections) + "\n"


def _kinds(known: Mapping[str, Schema], every: set[str]) -> Iterator[str]:
    """A section for each kind of check, with the keys that only it has or that differ."""
    for name, kind in KINDS.items():
        own = {
            key: value
            for key, value in known[name]["properties"].items()
            if key != "kind"
            and (key not in every or value != known["CheckBase"]["properties"][key])
        }
        place = "checks-of-other-tools" if kind in BROUGHT else kind
        yield f"### {kind}"
        yield f"{_prose(known[name])} [More](checks.md#{place})"
        yield _table({**known[name], "properties": own})


def _section(table: Schema) -> Iterator[str]:
    yield _prose(table)
    yield _table(table)


def _prose(table: Schema) -> str:
    paragraphs = str(table["description"]).split("\n\n")
    return "\n\n".join(" ".join(text.split()) for text in paragraphs).replace("``", "`")


def _table(table: Schema) -> str:
    rows = ["| key | value | default | meaning |", "| --- | --- | --- | --- |"]
    for key, held in table["properties"].items():
        default = "*required*" if key in table.get("required", ()) else _default(held)
        cells = (f"`{key}`", _value(held), default, held["description"].replace("|", "\\|"))
        rows.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join(rows)


def _default(held: Schema) -> str:
    """The default as TOML writes it; nothing for an empty one."""
    given = held.get("default")
    return "" if given in (None, "", [], {}) or isinstance(given, dict) else f"`{_toml(given)}`"


def _toml(value: Any) -> str:
    """A value as TOML writes it; a decimal, which JSON holds as text, is a number."""
    text = json.dumps(value, ensure_ascii=False)
    return text.strip('"') if text.strip('"').isdigit() else text


def _value(held: Schema) -> str:
    """What a key may hold."""
    match held:
        case {"$ref": str(place)}:
            return _linked(place.removeprefix("#/$defs/"))
        case {"discriminator": _}:
            return "[checks](#checks)"
        case {"anyOf": list(several)}:
            return _either(several)
        case {"const": value}:
            return f"`{_toml(value)}`"
        case {"enum": list(values)}:
            return ", ".join(f"`{_toml(value)}`" for value in values)
        case {"type": "array", "prefixItems": list(items)}:
            return f"list of {len(items)}: {_value(items[0])}"
        case {"type": "array", "items": items}:
            return f"list: {_value(items)}"
        case {"type": "object", "additionalProperties": dict(inner)}:
            return f"table of tables: {_value(inner)}"
        case {"type": "string", "format": "date-time"}:
            return "date and time"
        case {"type": "string"}:
            length = held.get("minLength", 0)
            return f"text, {length} characters or more" if length > 1 else "text"
        case {"type": "boolean"}:
            return "`true` or `false`"
        case {"type": "integer" | "number" as kind}:
            return _number(kind, held)
    return "any value"


def _number(kind: str, held: Schema) -> str:
    signs = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    bounds = (
        f"{sign} {held[key]:,}".removesuffix(".0") for key, sign in signs.items() if key in held
    )
    return ", ".join(("whole number" if kind == "integer" else "number", *bounds))


def _either(several: list[Schema]) -> str:
    """Alternatives; null is an absent key, text beside a number JSON's form of a decimal."""
    kinds = [one.get("type") for one in several]
    if kinds == ["number", "string"]:
        return _value(several[0])
    if {"integer", "number"} <= set(kinds):  # the second includes the first
        several = [one for one in several if one.get("type") != "integer"]
    return " or ".join(_value(one) for one in several if one.get("type") != "null")


def _linked(name: str) -> str:
    title = (TABLES | COURSE | PARTS)[name]
    text, place = title.removesuffix(" tables"), title.replace(" ", "-")
    return f"[{text}](#{''.join(c for c in place if c.isalnum() or c in '_-')})"


def main() -> None:
    """Print the page, or write it into a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="the file to write")
    given = parser.parse_args()
    if given.write:
        given.write.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())


if __name__ == "__main__":
    main()
