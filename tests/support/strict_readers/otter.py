"""autograder.zip and exception-based test files, read by the letter of otter-grader 7's format."""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

ROOT = {"run_autograder", "run_otter.py", "setup.sh", "environment.yml", "otter_config.json"}
CONFIG = set(
    "score_threshold points_possible show_stdout show_hidden show_all_public seed seed_variable "
    "grade_from_log serialized_variables pdf token course_id assignment_id filtering pagebreaks "
    "debug autograder_dir lang miniconda_path plugins logo print_summary print_score zips "
    "log_level assignment_name warn_missing_pdf force_public_test_summary "
    "submit_blank_pdf_on_export_failure use_submission_pdf pdf_via_html".split()
)
CASE = {"name", "points", "hidden", "success_message", "failure_message"}


@dataclass(frozen=True)
class Case:
    """One test case."""

    name: str
    points: float
    hidden: bool
    success_message: str | None = None
    failure_message: str | None = None


@dataclass(frozen=True)
class Archive:
    """What an autograder.zip holds. ``wheels``: what it brings to be installed."""

    config: dict[str, Any]
    environment: dict[str, Any]
    tests: dict[str, tuple[Case, ...]]
    files: dict[str, bytes]
    wheels: tuple[str, ...]


def read_archive(data: bytes) -> Archive:
    """All of a zip; raises AssertionError for what the format does not know."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        held = {name: archive.read(name) for name in names}
    assert len(names) == len(set(names))
    for name in names:
        assert not name.startswith("/")
        assert ".." not in name.split("/")
        assert "\\" not in name
    top = {name for name in names if "/" not in name}
    wheels = tuple(name for name in top if name.endswith(".whl"))
    assert top - set(wheels) == ROOT
    assert {name.split("/")[0] for name in names} <= ROOT | {"tests", "files"} | set(wheels)
    assert held["run_autograder"].startswith(b"#!")
    assert held["setup.sh"].startswith(b"#!")
    compile(held["run_otter.py"], "run_otter.py", "exec")
    config = json.loads(held["otter_config.json"])
    assert set(config) <= CONFIG
    assert config.get("lang") == "python"
    environment = yaml.safe_load(held["environment.yml"])
    assert environment["name"] == "otter-env"
    tests = {n.removeprefix("tests/"): d for n, d in held.items() if n.startswith("tests/")}
    assert all(name.endswith(".py") and "/" not in name for name in tests)
    files = {n.removeprefix("files/"): d for n, d in held.items() if n.startswith("files/")}
    read = {name.removesuffix(".py"): read_test(data, name) for name, data in tests.items()}
    return Archive(config, environment, read, files, wheels)


def read_test(data: bytes, name: str) -> tuple[Case, ...]:
    """The cases of an exception-based test file."""
    tree = ast.parse(data.decode("ascii"))
    settings = {
        target.id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert settings["OK_FORMAT"] is False
    assert settings["name"] == name.removesuffix(".py")
    assert "points" not in settings  # each case has its own
    found = tuple(_cases(tree))
    assert found
    return found


def _cases(tree: ast.Module) -> Iterator[Case]:
    seen = set()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        assert node.name not in seen
        seen.add(node.name)
        assert [argument.arg for argument in node.args.args] == ["env"]
        (decorator,) = node.decorator_list
        assert isinstance(decorator, ast.Call)
        assert isinstance(decorator.func, ast.Name)
        assert decorator.func.id == "test_case"
        assert not decorator.args
        given = {str(k.arg): ast.literal_eval(k.value) for k in decorator.keywords}
        assert set(given) <= CASE
        yield Case(**given)
