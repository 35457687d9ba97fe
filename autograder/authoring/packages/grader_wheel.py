"""Builds the grader itself as a wheel from what is installed here, because it is not in any
registry."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import metadata

from autograder.authoring.packages.needed_files import PROJECT, ROOT
from autograder.authoring.packages.student_wheel import wheel_bytes

_EXTRA = re.compile(r"\bextra\s*==")


def grader_wheel() -> tuple[str, bytes]:
    """A wheel of the grader as it is installed here: its file's name and its bytes."""
    version = metadata.version(PROJECT)
    info = f"{PROJECT}-{version}.dist-info"
    described = [
        "Metadata-Version: 2.1",
        f"Name: {PROJECT}",
        f"Version: {version}",
        f"Requires-Python: {metadata.metadata(PROJECT)['Requires-Python']}",
        *(f"Requires-Dist: {line}" for line in project_needs()),
    ]
    tags = ["Wheel-Version: 1.0", f"Generator: {PROJECT}", "Root-Is-Purelib: true"]
    files: Mapping[str, bytes] = {
        **_modules(),
        f"{info}/METADATA": _lines(described),
        f"{info}/WHEEL": _lines([*tags, "Tag: py3-none-any"]),
        f"{info}/entry_points.txt": _lines(
            ["[console_scripts]", f"{PROJECT} = {PROJECT}.__main__:main"]
        ),
        f"{info}/top_level.txt": _lines([PROJECT]),
    }
    return f"{PROJECT}-{version}-py3-none-any.whl", wheel_bytes(files)


def project_needs() -> list[str]:
    """What the project says that it needs, extras apart; an editable install may know it of old."""
    beside = ROOT.parent / "pyproject.toml"
    if beside.is_file():
        project = tomllib.loads(beside.read_text(encoding="utf-8"))["project"]
        return [*map(str, project["dependencies"])]
    return [line for line in metadata.requires(PROJECT) or () if not _EXTRA.search(line)]


def _modules() -> dict[str, bytes]:
    """The grader's files, by their names in the wheel."""
    paths = (path for path in sorted(ROOT.rglob("*")) if "__pycache__" not in path.parts)
    return {p.relative_to(ROOT.parent).as_posix(): p.read_bytes() for p in paths if p.is_file()}


def _lines(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
