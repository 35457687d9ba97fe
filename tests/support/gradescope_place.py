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
from tests.support.courses import write_course
from tests.support.strict_readers import gradescope
from tests.support.strict_readers.gradescope import Results

SEED = 11
COURSE = {
    "assignments/rows/assignment.toml": """
format = 1
id = "rows"
title = "Rows of tables"

[limits]
cell_cpu_s = 2
cell_wall_s = 6
memory_mb = 256

[late]
due = "2026-10-01T12:00:00+00:00"
per_day = 10

[[exercise]]
id = "count"
title = "How many rows"
defines = ["rows"]

[[exercise.check]]
id = "rows"
kind = "value"
title = "`rows` is right"
points = 1
public = true
name = "rows"
hint = "Count them by eye."

[[exercise]]
id = "center"
title = "Rows with mean zero"
defines = ["center"]

[[exercise.check]]
id = "example"
kind = "function"
title = "`center` works on a small table"
points = 1
public = true
call = "center"
inputs = "small"

[[exercise.check]]
id = "canary-tables"
kind = "function"
title = "canary: `center` works on other tables"
points = 1.5
call = "center"
inputs = "tables"
hint = "Look at the axis."

[[exercise.check]]
id = "canary-large"
kind = "function"
title = "canary: `center` of large tables"
points = 0.5
call = "center"
inputs = "large"

[[exercise]]
id = "last"
title = "The last number"
defines = ["last"]

[[exercise.check]]
id = "last"
kind = "value"
title = "`last` is right"
points = 2
public = true
name = "last"
""",
    "assignments/rows/inputs.py": """
import torch


def small(rng):
    return [(torch.tensor([[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]),)]


def tables(rng):
    return [(torch.tensor(rng.normal(size=(3, 4)), dtype=torch.float32),) for _ in range(2)]


def large(rng):
    return [(torch.tensor(rng.normal(size=(5, 4)) * 100, dtype=torch.float32),)]
""",
    "assignments/rows/examples/student-01.py": "rows = 3\n",
    "solutions/rows/solution.py": """# %% [markdown]
# # Rows of tables

# %% locked=true
import torch

# %% exercise="count"
# BEGIN SOLUTION
rows = 3
# END SOLUTION

# %% exercise="center"
def center(table):
    # BEGIN SOLUTION
    return table - table.mean(-1, keepdim=True)
    # END SOLUTION

# %% exercise="last"
# BEGIN SOLUTION
last = 42
# END SOLUTION
""",
    "solutions/rows/mistakes/center_columns.py": """# center: the mean of columns
# You took the mean of each column; take that of each row.
def center(table):
    return table - table.mean(0, keepdim=True)
""",
}
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
    found: dict[str, Any] = {
        "id": 4711,
        "created_at": "2026-10-01T11:00:00.123456+00:00",
        "assignment": {
            "id": 1,
            "course_id": 2,
            "title": "Rows",
            "late_due_date": None,
            "due_date": "2026-10-01T12:00:00.000000+00:00",
            "release_date": "2026-09-01T12:00:00.000000+00:00",
            "group_submission": False,
            "group_size": None,
            "total_points": "6.0",
        },
        "submission_method": "upload",
        "users": [{"id": 3, "name": "Student 01", "email": "student-01@example.org"}],
        "previous_submissions": [],
    }
    layout.metadata.write_text(json.dumps({**found, **changes}))


def notebook(*cells: str, stamp: str = "") -> str:
    """A notebook of code cells."""
    made = [
        {
            "cell_type": "code",
            "id": f"c{n}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for n, source in enumerate(cells)
    ]
    metadata: dict[str, Any] = {"language_info": {"name": "python"}}
    if stamp:
        metadata["autograder"] = {"assignment": stamp, "version": "1"}
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def hand_in(layout: Layout, files: Mapping[str, str | bytes]) -> None:
    """What the student uploaded, or what the repository held; what lay there is gone."""
    for path in sorted(layout.submission.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    for name, content in files.items():
        path = layout.submission / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def results(layout: Layout) -> Results:
    """results.json, read strictly."""
    return gradescope.read(layout.results.read_bytes())


def scores(found: Results) -> dict[str, tuple[Any, Any]]:
    """Each test's score and maximum by its name."""
    return {t["name"]: (t.get("score"), t.get("max_score")) for t in found.tests}
