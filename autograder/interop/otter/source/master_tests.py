"""The test cells of a master notebook to questions, in both of otter's formats.

Covered: every problem is reported with its cell number. Functions go through the file that otter
makes from them; anything that otter loses there is lost here too, and reported.
Not covered: what the test code does; it is not run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from autograder.interop.otter.source.blocks import MasterReading, Part, SourceBlock
from autograder.interop.otter.source.cells import NotebookFileCell
from autograder.interop.otter.source.doctests import made_doctest, read_examples
from autograder.interop.otter.source.exception_file import read_exception_file
from autograder.interop.otter.source.literals import parse_file, source_of
from autograder.interop.otter.source.model import Given, OtterCase, Question, SourceFault
from autograder.interop.otter.source.ok_file import case_points, read_points, text_of
from autograder.interop.otter.source.settings import CaseSettings, QuestionSettings, make, read_yaml
from autograder.notebook.formats.text import first_of

_BEGIN_CASE = re.compile(r'(?:.\s*=\s*)?""?"?\s*#\s*BEGIN\s*TEST\s*CONFIG', re.IGNORECASE)
_END_CASE = re.compile(r'""?"?\s*#\s*END\s*TEST\s*CONFIG', re.IGNORECASE)
_HIDDEN = re.compile(r"\bhidden\b", re.IGNORECASE)


def read_questions(parts: list[Part], reading: MasterReading, *, ok_format: bool) -> list[Question]:
    """The questions that have tests; blocks with the same name are one question, as in otter."""
    blocks: dict[str, list[SourceBlock]] = {}
    for part in parts:
        if isinstance(part, SourceBlock) and part.settings is not None:
            blocks.setdefault(part.settings.name, []).append(part)
    made = []
    untested: dict[bool, list[str]] = {}
    never_run: list[str] = []
    for name, same in blocks.items():
        place = f"{reading.file}, question {name!r} of cell {same[-1].cell.number}"
        if len(same) > 1:
            reading.told.append(
                f"{place}: {len(same)} blocks have this name and count as one question."
            )
        cells = [cell for block in same for cell in block.cells("tests") if cell.kind == "code"]
        settings = same[-1].settings
        if settings is None or not cells:
            untested.setdefault(settings is not None and settings.manual, []).append(repr(name))
            continue
        never_run += [str(cell.number) for cell in cells if ok_format and not cell.run]
        try:
            made.append(
                (_read_ok if ok_format else _read_functions)(settings, cells, place, reading)
            )
        except SourceFault as bad:
            reading.problems.append(bad.at(place))
    if never_run:
        reading.told.append(
            f"{reading.file}, cell{'s' * (len(never_run) > 1)} {first_of(never_run, 10)}: tests "
            "saved without having been run, so they expect no output; if that is not intended, run "
            "the master notebook and save it."
        )
    reading.told += _without_tests(untested)
    return made


def _without_tests(names: Mapping[bool, list[str]]) -> Iterator[str]:
    if by_hand := names.get(True):
        yield (
            "These questions are graded by hand; otter gives them no score, so they are not "
            f"imported: {', '.join(by_hand)}."
        )
    if empty := names.get(False):
        yield f"These questions have no tests and are not imported: {', '.join(empty)}."


def _read_ok(
    settings: QuestionSettings,
    cells: list[NotebookFileCell],
    place: str,
    reading: MasterReading,
) -> Question:
    cases = []
    for number, cell in enumerate(cells, start=1):
        where = reading.place(cell)
        try:
            config, code = _split(cell, reading)
            examples = read_examples(made_doctest(code, cell.shown))
            case = _case(config, f"{settings.name} - {number}")
        except SourceFault as bad:
            reading.problems.append(bad.at(where))
            continue
        cases.append(replace(case, examples=examples))
    return Question(
        name=settings.name,
        title=settings.name,
        cases=tuple(cases),
        points=master_points(settings.points, len(cells)),
        all_or_nothing=settings.all_or_nothing,
        place=place,
    )


def _read_functions(
    settings: QuestionSettings,
    cells: list[NotebookFileCell],
    place: str,
    reading: MasterReading,
) -> Question:
    """The question, read from the file that otter makes from its test cells."""
    points = master_points(settings.points, len(cells))
    text = [
        "from otter.test_files import test_case",
        "OK_FORMAT = False",
        f"name = {settings.name!r}",
        f"points = {_written(points)}",
        f"all_or_nothing = {settings.all_or_nothing}",
    ]
    for cell in cells:
        where = reading.place(cell)
        try:
            config, code = _split(cell, reading)
            body = parse_file(code).body
            if not body or len(body) > 2 or not isinstance(body[0], ast.FunctionDef):
                raise SourceFault(
                    0, "an exception-based test must be one function, with at most a call to it"
                )
            case = _case(config, "")
        except SourceFault as bad:
            reading.problems.append(bad.at(where))
            continue
        given = {"points": _written(case.points), "hidden": case.hidden}
        given |= {"success_message": repr(case.praise)} if case.praise else {}
        given |= {"failure_message": repr(case.hint)} if case.hint else {}
        shown = ", ".join(f"{key}={value}" for key, value in given.items())
        text += ["", f"@test_case({shown})", source_of(body[0])]
    made = read_exception_file("\n".join(text) + "\n", name=settings.name, place=place)
    if len(made.cases) < len(cells):
        reading.told.append(
            f"{place}: test functions with the same name replace each other, so {len(made.cases)} "
            f"of {len(cells)} count, as in otter; give each its own name."
        )
    return made


def master_points(given: Any, cases: int) -> Given:
    """A question's points in a master; ``{each: n}`` is n for every case. Raises SourceFault."""
    if isinstance(given, Mapping):
        each = case_points(given.get("each", 1))
        if set(given) - {"each"} or each is None:
            raise SourceFault(0, "'points' as a mapping takes only the key 'each', a number")
        return each * cases
    return read_points(given)


def _written(points: Given) -> str:
    """Points as Python source; those from a file are always exact decimals."""
    if isinstance(points, tuple):
        return f"[{', '.join(_written(part) for part in points)}]"
    return "None" if points is None else repr(float(points))


def _split(cell: NotebookFileCell, reading: MasterReading) -> tuple[CaseSettings, str]:
    """The settings of a test cell and its code without them; raises SourceFault."""
    parse_file(cell.source)
    lines = cell.source.split("\n")
    if not _BEGIN_CASE.match(lines[0]):
        hidden = lines[0].lstrip().startswith("#") and _HIDDEN.search(lines[0]) is not None
        return CaseSettings(hidden=hidden), cell.source
    end = next((n for n, line in enumerate(lines) if _END_CASE.match(line)), 0)
    if not end:
        raise SourceFault(1, "BEGIN TEST CONFIG without an END TEST CONFIG after it")
    given = read_yaml("\n".join(lines[1:end]))
    known = reading.known(CaseSettings, given, cell)
    made = make(CaseSettings, known, reading.place(cell), reading.problems) or CaseSettings()
    return made, "\n".join(lines[end + 1 :])


def _case(config: CaseSettings, title: str) -> OtterCase:
    return OtterCase(
        title=title,
        hidden=bool(config.hidden),
        points=case_points(config.points),
        hint=text_of(config.failure_message),
        praise=text_of(config.success_message),
    )
