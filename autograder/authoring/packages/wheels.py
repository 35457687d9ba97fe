"""Builds the two wheels that are handed out: the students' package, and the grader itself as it is
installed here. Equal contents give equal bytes."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import tomli_w
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.assignment.packages import TORCH, name_for_pip
from autograder.authoring.packages.needed_files import DISTRIBUTION, PROJECT, ROOT, imported
from autograder.files import scratch_folder

NAME = "autograder-student"
DATA = "autograder/student/data"  # folder of the public evidence in the wheel

_WITHOUT_BOUND = frozenset({TORCH})  # students choose the build that their machine needs


def student_files(modules: Mapping[str, bytes], evidence: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that the students' wheel installs: ``modules`` by name, and the public evidence of
    each assignment."""
    return {**modules, **{f"{DATA}/{name}.agw": data for name, data in evidence.items()}}


def student_wheel(files: Mapping[str, bytes], *, torch: bool) -> tuple[str, bytes]:
    """The students' wheel: its file name and its bytes. It requires what its modules import;
    ``torch``: also torch."""
    return _built(
        {
            "name": NAME,
            "description": "Checks for students, run in their own notebook.",
            "dependencies": [*requirements(files, torch=torch)],
            "scripts": {"autograder-check": "autograder.student.shell:main"},
        },
        files,
    )


def grader_wheel() -> tuple[str, bytes]:
    """The grader's wheel: its file name and its bytes. It is in no package index."""
    paths = (path for path in sorted(ROOT.rglob("*")) if "__pycache__" not in path.parts)
    return _built(
        {
            "name": DISTRIBUTION,
            "dependencies": project_needs(),
            "scripts": {PROJECT: f"{PROJECT}.__main__:main"},
        },
        {p.relative_to(ROOT.parent).as_posix(): p.read_bytes() for p in paths if p.is_file()},
    )


def _built(project: Mapping[str, object], files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """A wheel of these files, whose version and Python are the project's."""
    described = {
        **project,
        "version": metadata.version(DISTRIBUTION),
        "license": "MIT",
        "requires-python": metadata.metadata(DISTRIBUTION)["Requires-Python"],
    }
    options = {"packages": [PROJECT], "ignore-vcs": True}
    with scratch_folder() as folder:
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        build = {"targets": {"wheel": options}}
        table = {"project": described, "tool": {"hatch": {"build": build}}}
        (folder / "pyproject.toml").write_text(tomli_w.dumps(table), encoding="utf-8")
        (built,) = WheelBuilder(str(folder)).build(directory=str(folder), versions=["standard"])
        return Path(built).name, Path(built).read_bytes()


def project_needs() -> list[str]:
    """The project's requirements without extras; an editable install may know outdated ones."""
    if project := _project():
        return [*map(str, project["dependencies"])]
    needs = metadata.requires(DISTRIBUTION) or ()
    return [need for need in needs if "extra" not in str(Requirement(need).marker)]


def needs_of(packages: Iterable[str]) -> list[str]:
    """Packages that assignments use as pip requirements: torch with the project's bounds."""
    if project := _project():
        torch = [*map(str, project["optional-dependencies"][TORCH])]
    else:
        needs = (Requirement(need) for need in metadata.requires(DISTRIBUTION) or ())
        torch = sorted({f"{need.name}{need.specifier}" for need in needs if need.name == TORCH})
    return [need for p in packages for need in (torch if p == TORCH else [name_for_pip(p)])]


def _project() -> dict[str, Any]:
    """The project's table in the pyproject.toml of a repository; empty elsewhere."""
    beside = ROOT.parent / "pyproject.toml"
    if not beside.is_file():
        return {}
    table: dict[str, Any] = tomllib.loads(beside.read_text(encoding="utf-8"))["project"]
    return table


def requirements(files: Mapping[str, bytes], *, torch: bool) -> tuple[str, ...]:
    """The packages of others that the modules import, with the project's bounds; torch, which some
    import only where a notebook uses it, if it is wanted."""
    needs = map(Requirement, project_needs())
    bounds = {canonicalize_name(need.name): str(need.specifier) for need in needs}
    sources = (data for name, data in files.items() if name.endswith(".py"))
    modules = {name.split(".")[0] for source in sources for name in imported(ast.parse(source))}
    owners = metadata.packages_distributions()
    names = {
        canonicalize_name(owners.get(name, [name])[0])
        for name in modules - {PROJECT} - (set() if torch else {TORCH})
        if name not in sys.stdlib_module_names
    }
    return tuple(
        f"{name}{'' if name in _WITHOUT_BOUND else bounds.get(name, '')}" for name in sorted(names)
    )
