"""What each export needs to be told about the hostile class."""

from __future__ import annotations

from datetime import UTC, datetime

from autograder.interop.exports.model import Options
from autograder.interop.score_formats import FORMATS
from tests.support.strict_readers.hostile_class import ROSTER, TITLE
from tests.support.strict_readers.sheets import moodle_sheet

WHEN = datetime(2026, 10, 25, 1, 0, tzinfo=UTC)


def options(name: str) -> Options:
    """What the format needs, and nothing else."""
    sheet, needed = moodle_sheet(ROSTER), {*FORMATS[name].needs, *FORMATS[name].instead}
    all_ = Options(title=TITLE, item_id="4711", timestamp=WHEN, sheet=sheet, student="0042")
    return Options(**{key: getattr(all_, key) for key in needed})
