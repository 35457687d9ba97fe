"""One hostile class through every exporter and back through a strict reader of each platform."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from autograder.errors import UsageError
from autograder.interop.exports.model import Exported
from autograder.interop.score_formats import FORMATS, export
from tests.interop.exports.readers import READERS
from tests.support.strict_readers import tables, workbook
from tests.support.strict_readers.hostile_class import (
    ODD,
    ROSTER,
    SCORES,
    STANDINGS,
    STUDENTS,
    WITHOUT,
    spelt,
)
from tests.support.strict_readers.sheets import options

ROOT = Path(__file__).resolve().parents[3]
EXACT = ("json",)  # keeps thousandths
OF_ONE = ("gradescope", "prairielearn")  # files of a single student
REFUSES_ABOVE = ("moodle",)  # the platform would skip who is above the maximum


def test_every_format_has_a_strict_reader_and_is_in_the_manual() -> None:
    assert set(READERS) == set(FORMATS)
    manual = (ROOT / "docs" / "exports.md").read_text("utf-8")
    assert not [name for name in FORMATS if f"| `{name}` |" not in manual]


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_same_scores_for_the_same_students_and_nobody_lost(name: str) -> None:
    made = export(name, STANDINGS, ROSTER, options(name))
    found = READERS[name](made.data)
    expected: dict[str, Decimal] = dict(SCORES)
    if name in EXACT:
        expected = {s.student: Decimal(s.score) / 1000 for s in STANDINGS if s.score is not None}
    if name in REFUSES_ABOVE:
        del expected["line\nbreak"]
    if name in OF_ONE:
        expected = {"0042": expected["0042"]}
    given = {student: score for student, score in found.items() if score not in (None, "EX")}
    assert given == expected
    assert {student for student, score in found.items() if score == "EX"} == (
        {"TRUE"} if name == "canvas" else set()
    )
    everybody = STUDENTS if name not in OF_ONE else {"0042"}
    assert accounted_for(made) == sorted(everybody)


def accounted_for(made: Exported) -> list[str]:
    mentions = (*made.left_blank, *made.unmatched)
    assert all(mention.reason for mention in mentions)
    return sorted([*made.written, *(mention.student for mention in mentions)])


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_order_of_the_input_changes_nothing_and_no_other_standing_is_taken(name: str) -> None:
    chosen = options(name)
    mixed = type(ROSTER)(tuple(reversed(ROSTER.people)))
    made = export(name, STANDINGS, ROSTER, chosen)
    assert export(name, tuple(reversed(STANDINGS)), mixed, chosen) == made
    with pytest.raises(UsageError, match="more than one standing"):
        export(name, [*STANDINGS, STANDINGS[0]], ROSTER, chosen)
    other = msgspec.structs.replace(STANDINGS[0], assignment="b", student="t")
    with pytest.raises(UsageError, match="2 assignments"):
        export(name, [*STANDINGS, other], ROSTER, chosen)


PROGRAM = """
import hashlib, time
time.time = lambda: 2e9
from tests.interop.exports.test_class import digests
print(digests())
"""


def digests() -> str:
    """What every format writes."""
    data = [export(name, STANDINGS, ROSTER, options(name)).data for name in sorted(FORMATS)]
    return " ".join(hashlib.sha256(each).hexdigest() for each in data)


def test_another_process_writes_equal_bytes() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "2", "TZ": "Australia/Lord_Howe"}
    command = [sys.executable, "-c", PROGRAM]
    ran = subprocess.run(
        command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert ran.stdout.strip() == digests()


@pytest.mark.parametrize("name", ["canvas", "blackboard", "brightspace", "moodle-import"])
def test_a_fresh_sheet_has_nobody_without_a_score(name: str) -> None:
    found = READERS[name](export(name, STANDINGS, ROSTER, options(name)).data)
    assert not found.keys() & (WITHOUT - {"TRUE"})


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_an_empty_class_is_a_file_too(name: str) -> None:
    if name not in OF_ONE:
        made = export(name, (), type(ROSTER)(), options(name))
        assert accounted_for(made) == []
        assert made.data


@pytest.mark.parametrize("name", ["nbgrader", "otter", "xlsx", "blackboard-csv"])
def test_free_text_that_no_platform_reads_back_is_no_formula(name: str) -> None:
    data = export(name, STANDINGS, ROSTER, options(name)).data
    if name == "xlsx":
        cells = [c for s in workbook.read(data).values() for row in s.rows for c in row[1:]]
        texts = [cell for cell in cells if isinstance(cell, str)]
    else:
        ids = STUDENTS | {person.keys["username"] for person in ROSTER}
        encoding = "utf-8-sig"
        table = tables.rows(data, encoding=encoding)
        texts = [cell for row in table for cell in row if cell not in ids | {spelt(ODD)}]
    texts = [text for text in texts if text != "--"]  # otter's own word
    assert not [text for text in texts if text.lstrip(' "').startswith(("=", "+", "-", "@"))]
    if name != "otter":  # it has no names
        assert any(text.startswith("'=HYPERLINK") for text in texts)
