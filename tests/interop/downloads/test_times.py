"""Times as downloads write them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.interop.downloads.clock import parse_digits, parse_iso, parse_words
from tests.support.tables import read_table

BERLIN = ZoneInfo("Europe/Berlin")
WHEN = datetime(2020, 9, 23, 19, 5, tzinfo=UTC)


TIMES = read_table(Path(__file__).with_suffix(".yaml"))


def test_one_time_in_many_spellings() -> None:
    for text in TIMES["one_time"]:
        assert parse_words(text, BERLIN) == WHEN, text


def test_what_is_not_certain_is_none() -> None:
    for text in (*TIMES["uncertain"], "9" * 5000):
        assert parse_words(text, BERLIN) is None, text


def test_an_hour_that_occurs_twice_is_its_first_occurrence() -> None:
    assert parse_digits("2026-10-25-02-30-00", BERLIN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_an_hour_that_is_skipped_is_read_with_the_offset_from_before() -> None:
    assert parse_digits("2026-03-29-02-30-00", BERLIN) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_numbers_that_are_no_time_are_none() -> None:
    for text in ("2026-13-01-00-00-00", "2026-02-30-00-00-00", "2026-02-01", "", "9999-12-31"):
        assert parse_digits(text, BERLIN) is None
    assert parse_digits("9999_12_31T23_59_59_000000", ZoneInfo("America/New_York")) is None


def test_zones() -> None:
    at = datetime(2026, 7, 1, 10, 0, tzinfo=UTC)
    for text in (
        "2026-07-01 10:00",
        "2026-07-01 12:00:00 +02:00",
        "2026-07-01T06:00 UTC-04:00",
        "2026-07-01 12:00:00.0 Europe/Berlin",
        "2026-07-01 10:00:00 GMT",
    ):
        assert parse_iso(text, UTC) == at
    assert parse_iso("2026-07-01 10:00 PSTX", UTC) is None
