"""Times as downloads write them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from autograder.interop.downloads.clock import parse_digits, parse_iso, parse_words

BERLIN = ZoneInfo("Europe/Berlin")
WHEN = datetime(2020, 9, 23, 19, 5, tzinfo=UTC)


ONE_TIME = """\
Wednesday, September 23, 2020, 9:05 PM
Wednesday, 23 September 2020, 9:05 PM
Mittwoch, 23. September 2020, 21:05
mercredi 23 septembre 2020, 21:05
miércoles, 23 de septiembre de 2020, 21:05
mercoledì, 23 settembre 2020, 21:05
woensdag, 23 september 2020, 21:05
quarta, 23 de setembro de 2020 às 21h05
Sep 23, 2020 905 PM
Sep 23, 2020 9:05 p.m.
23.09.2020, 21:05
23.9.2020 21.05
2020-09-23 09:05 PM
2020-09-23 21:05
2020/09/23 21:05:00
23/09/2020, 21:05
9/23/2020, 9:05 PM
2020-09-23T19:05:00Z
2020-09-23 19:05:00.000000 UTC
2020-09-23 12:05 -0700
\u200e23 September\u00a02020, 9:05\u202fPM"""
UNCERTAIN = """
-
yesterday
03/04/2020, 21:05
Wednesday, 2020, 9:05 PM
23 September 2020
31 February 2020, 10:00
23 September 2020, 25:00
23 September 2020, 13:00 PM
mar. 3 avril 2020, 10:00
2020-09-23 21:05 Nowhere/City
2020-09-23 21:05 ../../etc
September 23 24 2020 9:05 PM
0001-01-01 00:00"""


def test_one_time_in_many_spellings() -> None:
    for text in ONE_TIME.split("\n"):
        assert parse_words(text, BERLIN) == WHEN, text


def test_what_is_not_certain_is_none() -> None:
    for text in (*UNCERTAIN.split("\n"), "9" * 5000):
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
