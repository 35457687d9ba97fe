"""Every format by name: its writer, and which options it needs and takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType

from autograder.errors import UsageError
from autograder.gradebook.people import Roster
from autograder.gradebook.standing import Standing
from autograder.interop.blackboard.scores import blackboard, blackboard_csv
from autograder.interop.brightspace.scores import brightspace
from autograder.interop.canvas.scores import canvas
from autograder.interop.exports.model import Exported, Options
from autograder.interop.exports.plain_json import plain_json
from autograder.interop.gradescope.scores import gradescope
from autograder.interop.junit.report import junit
from autograder.interop.lti.scores import ags
from autograder.interop.moodle.general_import import moodle_import
from autograder.interop.moodle.scores import moodle
from autograder.interop.nbgrader.scores import nbgrader
from autograder.interop.otter.scores import otter
from autograder.interop.prairielearn.results import prairielearn

NO_OPTIONS = Options()
_NOT_TYPED = {"sheet_name"}  # comes with --sheet
Writer = Callable[[Sequence[Standing], Roster, Options], Exported]


@dataclass(frozen=True, slots=True)
class Format:
    """One file format. ``needs`` and ``takes`` are fields of ``Options``.

    ``instead`` are the options that are needed only if no sheet is given. ``holds_all``: it says
    of each student what became of the submission, with or without a score.
    """

    write: Writer
    suffix: str
    about: str
    needs: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    holds_all: bool = False


def _xlsx(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    from autograder.interop.exports.xlsx import xlsx  # noqa: PLC0415  it loads openpyxl

    return xlsx(standings, roster, options)


_SHEET = ("sheet", "sheet_name", "encoding")
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "ags": Format(
            ags,
            ".json",
            "LTI 1.3 score messages",
            needs=("timestamp",),
            takes=("comments",),
            holds_all=True,
        ),
        "blackboard": Format(
            blackboard,
            ".xls",
            "Blackboard, tab-separated UTF-16",
            instead=("title", "item_id"),
            takes=(*_SHEET, "comments"),
        ),
        "blackboard-csv": Format(
            blackboard_csv,
            ".csv",
            "Blackboard, quoted CSV",
            instead=("title", "item_id"),
            takes=(*_SHEET, "comments"),
        ),
        "brightspace": Format(
            brightspace, ".csv", "Brightspace grade sheet", instead=("title",), takes=_SHEET
        ),
        "canvas": Format(
            canvas, ".csv", "Canvas gradebook", instead=("title", "item_id"), takes=_SHEET
        ),
        "gradescope": Format(
            gradescope,
            ".json",
            "Gradescope results.json of one student",
            needs=("student",),
            takes=("feedback",),
            holds_all=True,
        ),
        "json": Format(
            plain_json, ".json", "all standings and persons, our own format", holds_all=True
        ),
        "junit": Format(junit, ".xml", "JUnit XML of the class", holds_all=True),
        "moodle": Format(
            moodle,
            ".csv",
            "Moodle's offline grading worksheet",
            needs=("sheet",),
            takes=("sheet_name", "encoding", "column", "key", "comments", "comment_column"),
        ),
        "moodle-import": Format(
            moodle_import,
            ".csv",
            "Moodle's general grade import",
            needs=("title",),
            takes=("key", "comments"),
        ),
        "nbgrader": Format(nbgrader, ".csv", "nbgrader's grades.csv", takes=("due",)),
        "otter": Format(otter, ".csv", "otter's final_grades.csv"),
        "prairielearn": Format(
            prairielearn,
            ".json",
            "PrairieLearn results.json of one student",
            needs=("student",),
            takes=("feedback",),
            holds_all=True,
        ),
        "xlsx": Format(_xlsx, ".xlsx", "a workbook", holds_all=True),
    }
)


def export(
    name: str, standings: Sequence[Standing], roster: Roster, options: Options = NO_OPTIONS
) -> Exported:
    """The standings of one assignment in the format ``name``.

    Raises ``UsageError`` for an unknown format, a missing option, and an option that the format
    does not use; ``StoreError`` for a sheet that cannot be read.
    """
    found = FORMATS.get(name)
    if found is None:
        raise UsageError(f"unknown format {name!r}; choose one of: {', '.join(FORMATS)}")
    given = {
        field.name
        for field in fields(options)
        if getattr(options, field.name) != getattr(NO_OPTIONS, field.name)
    }
    if missing := [one for one in found.needs if one not in given]:
        what = ": the file that the platform lets you download" if "sheet" in missing else ""
        raise UsageError(f"{name}: add {_typed(missing)}{what}")
    missing = [one for one in found.instead if one not in given]
    if missing and "sheet" not in given:
        raise UsageError(f"{name}: add --sheet, or {_typed(missing)}")
    if strange := sorted(given - {*found.needs, *found.instead, *found.takes} - _NOT_TYPED):
        raise UsageError(f"{name}: leave out {_typed(strange)}, which this format does not use")
    return found.write(standings, roster, options)


def says_something(name: str, made: Exported) -> bool:
    """Whether a file is worth writing: it has a score, or says of somebody why there is none."""
    # A file without a score in it is not written.
    return bool(made.written or (FORMATS[name].holds_all and made.left_blank))


def _typed(names: Sequence[str]) -> str:
    """Fields of ``Options`` as the options of the command line."""
    return " and ".join(f"--{name.replace('_', '-')}" for name in names)
