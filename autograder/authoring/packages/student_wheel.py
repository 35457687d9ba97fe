"""The package that students install: the program that checks, and the public evidence.

Files are stored as they are, in order, with one fixed time: equal contents give equal bytes, and
whoever has the wheel can search it.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib import metadata

NAME = "autograder-student"
PROJECT = "autograder"  # what both packages are imported as
DATA = "autograder/student/data"  # folder of the public evidence in the wheel
COMMAND = "autograder-check = autograder.student.shell:main"

_TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold
_REQUIREMENT = re.compile(r"([A-Za-z0-9][\w.-]*)(\[[^\]]*\])?\s*([^;]*)(;.*)?")
_WITHOUT_BOUND = frozenset({"torch"})  # students choose the build that their machine needs


def wheel_name() -> str:
    """The file's name; its version is the project's."""
    return f"{NAME.replace('-', '_')}-{metadata.version(PROJECT)}-py3-none-any.whl"


def wheel_files(modules: Mapping[str, bytes], evidence: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Every file of the wheel by its name there, but for the list of them.

    ``modules``: the program's files; ``evidence``: public evidence by assignment.
    """
    version = metadata.version(PROJECT)
    info = f"{NAME.replace('-', '_')}-{version}.dist-info"
    described = [
        "Metadata-Version: 2.1",
        f"Name: {NAME}",
        f"Version: {version}",
        "Summary: Checks for students, run in their own notebook.",
        "License: MIT",
        f"Requires-Python: {metadata.metadata(PROJECT)['Requires-Python']}",
        *(f"Requires-Dist: {needed}" for needed in requirements(modules)),
    ]
    tags = ["Wheel-Version: 1.0", f"Generator: {PROJECT}", "Root-Is-Purelib: true"]
    tags.append("Tag: py3-none-any")
    return {
        **modules,
        **{f"{DATA}/{assignment}.agw": data for assignment, data in evidence.items()},
        f"{info}/METADATA": _lines(described),
        f"{info}/WHEEL": _lines(tags),
        f"{info}/entry_points.txt": _lines(["[console_scripts]", COMMAND]),
        f"{info}/top_level.txt": _lines([PROJECT]),
    }


def wheel_bytes(files: Mapping[str, bytes]) -> bytes:
    """The wheel: its files in order, and the list of them with digest and size."""
    (info,) = {name.split("/")[0] for name in files if ".dist-info/" in name}
    record = f"{info}/RECORD"
    listed = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in sorted(files.items())]
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [*sorted(files.items()), (record, _lines([*listed, f"{record},,"]))]:
            entry = zipfile.ZipInfo(name, _TIME)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, data)
    return held.getvalue()


def requirements(modules: Mapping[str, bytes]) -> tuple[str, ...]:
    """What the modules import of others, as requirements with the project's own bounds."""
    bounds = {
        _plain(found[1]): found[3].strip()
        for line in metadata.requires(PROJECT) or ()
        if (found := _REQUIREMENT.fullmatch(line)) and "extra ==" not in (found[4] or "")
    }
    sources = (data for name, data in modules.items() if name.endswith(".py"))
    imported = {name for source in sources for name in _imports(source)}
    owners = metadata.packages_distributions()
    names = {
        _plain(owners.get(name, [name])[0])
        for name in imported - {PROJECT}
        if name not in sys.stdlib_module_names
    }
    return tuple(
        f"{name}{'' if name in _WITHOUT_BOUND else bounds.get(name, '')}" for name in sorted(names)
    )


def _imports(source: bytes) -> Iterator[str]:
    """The packages that a module imports, at any depth."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _plain(name: str) -> str:
    """A distribution's name as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _lines(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
