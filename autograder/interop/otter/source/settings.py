"""The settings of an otter assignment, from YAML in cells or otter_config.json: every known key.

Covered: YAML is read by a loader that makes plain values only. Its size, nesting and number of
parts are bounded, and aliases are refused (a few lines of them can expand without limit).
Not covered: settings that concern only PDFs, logs and Gradescope are accepted and ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field

from autograder.assignment.document import checked
from autograder.interop.otter.source.model import SourceFault, shown

MAX_YAML = 100_000  # characters
MAX_PARTS = 10_000
MAX_DEPTH = 20

Plugin = str | dict[str, Any]
Seed = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Kind = TypeVar("Kind", bound=BaseModel)


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GraderSettings(_Settings):
    """otter_config.json, and ``generate`` of a master."""

    score_threshold: Decimal | None = None
    points_possible: Decimal | None = Field(default=None, ge=0, le=1_000_000)
    show_stdout: Any = None
    show_hidden: bool = False
    show_all_public: bool = False
    seed: Seed | None = None
    seed_variable: str | None = None
    grade_from_log: bool = False
    serialized_variables: Any = None
    pdf: bool = False
    token: Any = None
    course_id: Any = None
    assignment_id: Any = None
    filtering: Any = None
    pagebreaks: Any = None
    debug: bool = False
    autograder_dir: Any = None
    lang: str = "python"
    miniconda_path: Any = None
    plugins: tuple[Plugin, ...] = ()
    logo: Any = None
    print_summary: Any = None
    print_score: Any = None
    zips: Any = None
    log_level: Any = None
    assignment_name: str | None = None
    warn_missing_pdf: Any = None
    force_public_test_summary: Any = None
    submit_blank_pdf_on_export_failure: Any = None
    use_submission_pdf: Any = None
    pdf_via_html: Any = None


class SeedSettings(_Settings):
    """``seed`` of a master."""

    variable: str | None = None
    autograder_value: Seed | None = None
    student_value: Seed | None = None


class NoPdf(_Settings):
    """``export_cell.require_no_pdf_ack`` of a master."""

    message: str = ""


class ExportSettings(_Settings):
    """``export_cell`` of a master."""

    instructions: str = ""
    pdf: bool = True
    filtering: bool = True
    force_save: bool = False
    run_tests: bool = True
    files: tuple[str, ...] = ()
    require_no_pdf_ack: bool | NoPdf = False
    ignore_log: bool = False


class TestSettings(_Settings):
    """``tests`` of a master."""

    __test__ = False  # not a pytest class

    files: bool = False
    ok_format: bool = True
    url_prefix: str | None = None


class AssignmentSettings(_Settings):
    """The ``# ASSIGNMENT CONFIG`` of a master."""

    name: str | None = None
    config_file: str | None = None
    requirements: Any = None
    overwrite_requirements: bool = False
    environment: str | None = None
    run_tests: bool = True
    solutions_pdf: bool | Literal["filtered"] = False
    template_pdf: bool = False
    init_cell: bool = True
    check_all_cell: bool = False
    export_cell: bool | ExportSettings = ExportSettings()
    seed: SeedSettings = SeedSettings()
    generate: bool | GraderSettings = GraderSettings()
    save_environment: bool = False
    ignore_modules: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    autograder_files: tuple[str, ...] = ()
    student_files: tuple[str, ...] = ()
    plugins: tuple[Plugin, ...] = ()
    tests: TestSettings = TestSettings()
    show_question_points: bool = False
    runs_on: Literal["default", "colab", "jupyterlite"] = "default"
    python_version: str | int | float | None = None
    channel_priority_strict: bool = True
    strip_solutions_from_all_cells: bool = False
    suppress_no_tests_warning: bool = False


class QuestionSettings(_Settings):
    """The ``# BEGIN QUESTION`` of a master. ``points`` are checked when they are resolved."""

    name: str = Field(min_length=1)
    manual: bool = False
    points: Any = None
    check_cell: bool = True
    export: bool = False
    all_or_nothing: bool = False


class CaseSettings(_Settings):
    """The ``# BEGIN TEST CONFIG`` of a test cell; None where a key is missing."""

    hidden: bool | None = None
    points: Any = None
    success_message: Any = None
    failure_message: Any = None


def read_yaml(text: str) -> dict[str, Any]:
    """A mapping from YAML text, empty for none; raises SourceFault."""
    if len(text) > MAX_YAML:
        raise SourceFault(0, f"its YAML has more than {MAX_YAML:,} characters")
    try:
        for event in _counted(yaml.parse(text, Loader=yaml.SafeLoader)):
            if isinstance(event, yaml.AliasEvent):
                raise SourceFault(
                    _line(event.start_mark),
                    f"it contains an alias (*{event.anchor}); write the value out",
                )
        made = yaml.safe_load(text)
    except yaml.YAMLError as bad:
        mark = getattr(bad, "problem_mark", None)
        said = str(getattr(bad, "problem", None) or bad).split("\n")[0][:200]
        raise SourceFault(_line(mark), f"this is not plain YAML: {said}") from None
    except (ValueError, OverflowError, RecursionError, AttributeError, TypeError) as bad:
        raise SourceFault(0, f"this is not plain YAML ({str(bad)[:100]})") from None
    if made is None:
        return {}
    if not isinstance(made, dict):
        raise SourceFault(0, f"its YAML is a {type(made).__name__}, not 'key: value' lines")
    wrong = [key for key in made if not isinstance(key, str)]
    if wrong:
        raise SourceFault(0, f"the key {shown(wrong[0])} is not text; put it in quotes")
    return made


def _counted(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    depth = 0
    for number, event in enumerate(events):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if number > MAX_PARTS or depth > MAX_DEPTH:
            raise SourceFault(
                _line(event.start_mark),
                f"its YAML has more than {MAX_PARTS:,} parts or is nested more than {MAX_DEPTH} "
                "deep",
            )
        yield event


def _line(mark: Any) -> int:
    """The line of a YAML mark, from 1; 0 for none."""
    return mark.line + 1 if mark is not None else 0


def merged(older: Mapping[str, Any], newer: Mapping[str, Any]) -> dict[str, Any]:
    """Both mappings; ``newer`` takes precedence, and nested mappings are merged in the same way."""
    made = dict(older)
    for key, value in newer.items():
        before = made.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            made[key] = merged(before, value)
        else:
            made[key] = value
    return made


def without_nulls(given: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping without the keys whose value is None, at any depth."""
    return {
        key: without_nulls(value) if isinstance(value, dict) else value
        for key, value in given.items()
        if value is not None
    }


def unknown_keys(kind: type[BaseModel], given: Mapping[str, Any]) -> list[str]:
    """The keys that otter does not know and ignores, sorted."""
    return sorted(key for key in given if key not in kind.model_fields)


def make(
    kind: type[Kind], given: Mapping[str, Any], place: str, problems: list[str]
) -> Kind | None:
    """Settings from a mapping; None if something is wrong, with every problem added to
    ``problems``."""
    made, faults = checked(kind, without_nulls(given))
    problems += [f"{place}: {fault}" for fault in faults]
    return made
