"""The layout that Gradescope documents, in a folder, with a small course unpacked into it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.interop.gradescope.export import PackageOptions, made_package
from autograder.interop.gradescope.layout import Layout
from tests.support.cases import CASES, read_files, write_files
from tests.support.courses import write_course
from tests.support.notebooks import code, written
from tests.support.strict_readers import gradescope
from tests.support.strict_readers.gradescope import Results

SEED = 11
COURSE = read_files("courses/gradescope.txt")
POSSIBLE = 6
IMPORT, ROWS, CENTER, LAST = (
    "import torch",
    "rows = 3",
    "def center(table):\n    return table - table.mean(-1, keepdim=True)",
    "last = 42",
)


def package(folder: Path, **wish: Any) -> bytes:
    """The small course's autograder.zip."""
    loaded = write_course(folder, COURSE)
    return made_package(loaded, PackageOptions(seed=SEED, **wish)).data


def unpack(data: bytes, root: Path) -> Layout:
    """The documented layout at ``root``: source/ as unzipped, run_autograder, empty folders."""
    layout = Layout(root)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            Path(archive.extract(entry, layout.source)).chmod(entry.external_attr >> 16 & 0o777)
    script = root / "run_autograder"
    script.write_bytes((layout.source / "run_autograder").read_bytes())
    script.chmod(0o755)
    layout.submission.mkdir()
    layout.results.parent.mkdir()
    tell(layout)
    return layout


def tell(layout: Layout, **changes: Any) -> None:
    """submission_metadata.json as Gradescope writes it."""
    found = json.loads((CASES / "gradescope_metadata.json").read_text("utf-8"))
    layout.metadata.write_text(json.dumps({**found, **changes}))


def notebook(*cells: str, stamp: str = "") -> str:
    """A notebook of code cells."""
    about = {"autograder": {"assignment": stamp, "version": "1"}} if stamp else {}
    return written([code(source, id=f"c{n}") for n, source in enumerate(cells)], **about)


def hand_in(layout: Layout, files: Mapping[str, str | bytes]) -> None:
    """What the student uploaded, or what the repository held; what lay there is gone."""
    for path in sorted(layout.submission.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    write_files(layout.submission, files)


def results(layout: Layout) -> Results:
    """results.json, read strictly."""
    return gradescope.read(layout.results.read_bytes())


def scores(found: Results) -> dict[str, tuple[Any, Any]]:
    """Each test's score and maximum by its name."""
    return {t["name"]: (t.get("score"), t.get("max_score")) for t in found.tests}
