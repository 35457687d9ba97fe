"""Times as downloads write them, as UTC.

When clocks change, a local time that occurs twice means its first occurrence; one that is skipped
is read with the offset from before the change (02:30 becomes 03:30). A time that cannot be read is
None, never a guess.

Covered: ISO times with and without offset, Blackboard's and Brightspace's, dates in words in
English, German, French, Spanish, Italian, Dutch and Portuguese.
Not covered: other languages, and ambiguous dates such as 03/04/2025.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

MAX_TEXT = 200  # characters; longer texts are not times

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*([^\s\d].*|)",
    re.ASCII,
)
_HALF = re.compile(r"[ap]\.?\s?m\.?", re.I | re.ASCII)
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d\d):?(\d\d)?", re.ASCII)
_TIME = re.compile(r"(?<!\d)(\d{1,2})[:h](\d{2})(?::(\d{2}))?(?!\d)\s*([ap]\.?\s?m\b)?", re.ASCII)
_DOTTED_TIME = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{2})()(?![\d.])\s*([ap]\.?\s?m\b)?", re.ASCII)
_SQUASHED_TIME = re.compile(r"(?<!\d)(\d{1,2})(\d{2})()\s*([ap])m\b", re.ASCII)
_TIMES = (_TIME, _SQUASHED_TIME, _DOTTED_TIME)
_NUMERIC = re.compile(r"(?<!\d)(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{2,4})(?!\d)", re.ASCII)
_NO_MONTHS = ("martes", "mardi", "martedi")  # days whose names begin like one
_MONTHS = (  # prefixes that identify a month in one of the languages, without diacritics
    ("jan", "gen", "ene"),
    ("feb", "fev"),
    ("mar", "mrt", "maer", "maar"),
    ("apr", "avr", "abr"),
    ("may", "mai", "mag", "mei"),
    ("jun", "juin", "giu"),
    ("jul", "juil", "lug"),
    ("aug", "aou", "ago"),
    ("sep", "set"),
    ("oct", "okt", "ott", "out"),
    ("nov",),
    ("dec", "dez", "dic"),
)


def to_utc(local: datetime, zone: tzinfo) -> datetime | None:
    """A naive time in ``zone``, or an aware one, as UTC; None outside the calendar."""
    try:
        aware = local if local.tzinfo is not None else local.replace(tzinfo=zone, fold=0)
        return aware.astimezone(UTC)
    except (OverflowError, ValueError):
        return None


def parse_iso(text: str, zone: tzinfo) -> datetime | None:
    """``2024-09-23 20:15:01.5 +0200``; naive ones are in ``zone``. Also ``Z``, ``UTC`` and the
    names of zones. None for an unknown zone."""
    match = _ISO.fullmatch(text.strip()) if len(text) <= MAX_TEXT else None
    if match is None:
        return None
    where = _zone(match[8].strip(), zone)
    numbers = [int(part or 0) for part in match.groups()[:6]]
    fraction = int((match[7] or "0").ljust(6, "0")[:6])
    local = _date(*numbers, fraction)
    return to_utc(local, where) if local is not None and where is not None else None


def parse_digits(text: str, zone: tzinfo) -> datetime | None:
    """A local time as six numbers of fixed width, then an optional fraction: Blackboard's
    ``2024-09-23-21-00-05``, otter's ``2024_09_23T21_00_05_123456``."""
    numbers = re.findall(r"\d+", text) if len(text) <= MAX_TEXT else []
    if len(numbers) not in (6, 7):
        return None
    fraction = int(numbers[6].ljust(6, "0")[:6]) if len(numbers) == 7 else 0
    local = _date(*(int(number) for number in numbers[:6]), fraction)
    return to_utc(local, zone) if local is not None else None


def parse_words(text: str, zone: tzinfo) -> datetime | None:
    """A date in words, as Moodle and Brightspace write it for people; naive, in ``zone``."""
    if len(text) > MAX_TEXT:
        return None
    if (iso := _ISO.fullmatch(text.strip())) and not _HALF.fullmatch(iso[8].strip()):
        return parse_iso(text, zone)
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    time = next(filter(None, (form.search(plain) for form in _TIMES)), None)
    if time is None:
        return None
    rest = f"{plain[: time.start()]} {plain[time.end() :]}"
    day = _numeric_day(rest) or _worded_day(rest)
    hour = _hour(int(time[1]), time[4] or "")
    if day is None or hour is None:
        return None
    local = _date(*day, hour, int(time[2]), int(time[3] or 0), 0)
    return to_utc(local, zone) if local is not None else None


def _hour(hour: int, half: str) -> int | None:
    if not half:
        return hour
    return hour % 12 + (12 if half.startswith("p") else 0) if 1 <= hour <= 12 else None


def _worded_day(text: str) -> tuple[int, int, int] | None:
    """Year, month and day if exactly one of each is named."""
    years = re.findall(r"(?<!\d)\d{4}(?!\d)", text)
    days = re.findall(r"(?<!\d)\d{1,2}(?!\d)", text)
    words = re.findall(r"[^\W\d_]+", text)
    months = {
        number
        for word in words
        for number, starts in enumerate(_MONTHS, 1)
        if word.startswith(starts) and word not in _NO_MONTHS
    }
    if len(years) != 1 or len(days) != 1 or len(months) != 1:
        return None
    return int(years[0]), months.pop(), int(days[0])


def _numeric_day(text: str) -> tuple[int, int, int] | None:
    """Year, month and day of ``23.9.2024``, ``2024/9/23`` or ``9/23/2024``."""
    match = _NUMERIC.search(text)
    if match is None:
        return None
    first, second, third = (int(part) for part in match.groups())
    if len(match[1]) == 4:
        return first, second, third
    if len(match[3]) != 4:
        return None
    if "." in match[0] or first > 12 or first == second:
        return third, second, first
    return (third, first, second) if second > 12 else None


def _zone(name: str, otherwise: tzinfo) -> tzinfo | None:
    if not name:
        return otherwise
    if name.upper() in ("Z", "UTC", "GMT"):
        return UTC
    if match := _OFFSET.fullmatch(name):
        span = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
        return timezone(span if match[1] == "+" else -span) if span < timedelta(days=1) else None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # a name that is a path, a folder, or unknown
        return None


def _date(*numbers: int) -> datetime | None:
    try:
        return datetime(*numbers)  # type: ignore[arg-type]  # noqa: DTZ001 - made aware at once
    except ValueError:
        return None
