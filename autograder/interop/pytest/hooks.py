"""Hooks that pytest calls while grading: collect submissions in place of files, report the points.

Covered: nothing beside a submission is imported or read as a setting; a submission that cannot be
read is one error and does not stop the others. With pytest-xdist each worker has a box.
Not covered: pytest's settings in the folder where it is started, and above: start it in your own
folder. Settings next to a submission are refused, but pytest has already read them by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from autograder.errors import AutograderError
from autograder.gradebook.grade import as_points, from_points
from autograder.interop.pytest.course import SessionAssignment, SessionOptions
from autograder.interop.pytest.nodes import (
    MANUAL_POINTS,
    MAX_POINTS,
    POINTS,
    SEPARATOR,
    SubmissionNode,
    selections,
)

COURSES = pytest.StashKey[tuple[SessionAssignment, ...]]()


def pytest_configure(config: pytest.Config) -> None:
    """Read the assignments. Raises ``pytest.UsageError``."""
    option = config.option
    chosen = selections([*option.submission, *option.file_or_dir])
    if not chosen:
        raise pytest.UsageError("--autograder needs --submission FILE")
    option.continue_on_collection_errors = True
    if getattr(option, "dist", "no") == "load":  # pytest-xdist: one run for each submission
        option.dist = "loadfile"
    wish = SessionOptions(
        seed=option.autograder_seed,
        require=option.require,
        public=option.autograder_public,
        hidden=option.autograder_hidden,
        mistakes=option.autograder_mistakes,
    )
    hide = tuple(dict.fromkeys(one.path.resolve().parent for one in chosen))
    try:
        courses = tuple(SessionAssignment(named, wish, hide=hide) for named in option.autograder)
    except AutograderError as bad:
        raise pytest.UsageError(*str(bad).split("\n")) from None
    config.stash[COURSES] = courses
    _refuse_foreign_settings(config, courses)


def _refuse_foreign_settings(config: pytest.Config, courses: Sequence[SessionAssignment]) -> None:
    """Raise ``pytest.UsageError`` if pytest took its settings from next to a submission: they may
    name modules to import. It looks there if the file is an argument of its own."""
    if config.inipath is None or config.option.inifilename:
        return
    here = config.invocation_params.dir.resolve()
    places = [here, *(course.place.resolve() for course in courses)]
    trusted = {folder for place in places for folder in (place, *place.parents)}
    if config.inipath.resolve().parent not in trusted:
        raise pytest.UsageError(
            f"{config.inipath}: these settings are next to a submission and could run any code; "
            "write --submission=FILE, or choose your own settings with -c"
        )


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the boxes."""
    for course in config.stash.get(COURSES, ()):
        course.close()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Which assignments these are."""
    said = []
    for course in config.stash[COURSES]:
        said.append(f"autograder: {course.spec.title}; isolation {config.option.require} or more")
        if course.later:
            said.append(f"autograder: {course.later} hidden checks are left to the grading run")
    return said


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> bool:
    """Collect the submissions, and no file; ``-k`` and ``-m`` choose among the checks."""
    config = session.config
    items: list[pytest.Item] = []
    for node in _nodes(session):
        items += session.genitems(node)
    session.items = items
    config.hook.pytest_collection_modifyitems(session=session, config=config, items=items)
    config.hook.pytest_collection_finish(session=session)
    session.testscollected = len(items)
    return True


def _nodes(session: pytest.Session) -> Iterator[SubmissionNode]:
    option, courses = session.config.option, session.config.stash[COURSES]
    for chosen in selections([*option.submission, *option.file_or_dir]):
        yield SubmissionNode.from_parent(
            session,
            name=chosen.name,
            nodeid=chosen.name,
            selection=chosen,
            courses=courses,
            hidden=option.autograder_hidden,
        )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Write the points of each submission, for the checks that were run."""
    option = terminalreporter.config.option
    seen: dict[str, dict[str, int]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            found = dict(getattr(report, "user_properties", ()))
            if found.keys() & {MAX_POINTS, MANUAL_POINTS}:
                seen[report.nodeid] = {key: from_points(value) for key, value in found.items()}
    names = [selection.name for selection in selections([*option.submission, *option.file_or_dir])]
    for name in names:
        own = [found for id_, found in seen.items() if id_.split(SEPARATOR)[0] == name]
        if own:
            before = f"{name}: " if len(names) > 1 else ""
            terminalreporter.write_line(before + _points(own))


def _points(found: Sequence[dict[str, int]]) -> str:
    """``points: 12.5 of 62``, and what is not included."""
    graded = [one for one in found if POINTS in one]
    earned = as_points(sum(one[POINTS] for one in graded))
    most = as_points(sum(one.get(MAX_POINTS, 0) for one in found))
    text = f"points: {earned:g} of {most:g}"
    if manual := sum(one.get(MANUAL_POINTS, 0) for one in found):
        text += f"; up to {as_points(manual):g} more graded by hand"
    if lost := sum(MAX_POINTS in one and POINTS not in one for one in found):
        text += f"; {lost} could not be graded"
    return text
