"""All kinds of damage: by the changes of a notebook, and by how its file is written."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import jupytext
import nbformat
from nbconvert import PythonExporter

from tests.support.damage.changes import CELLS, CHANGES, STRIPPED, TABLE, all_done, together
from tests.support.damage.sources import prompts
from tests.support.damage.submission import FILE, Cell, Draft, Kind, code

# ------------------------------------------------------------------ how a file is written


def version_3(nb: Draft, sheets: int = 1) -> bytes:
    """Two worksheets are what nothing but the old format had."""
    old = nbformat.convert(nbformat.from_dict(nb), 3)
    notebook = json.loads(nbformat.writes(old, version=3))
    found = notebook["worksheets"][0]["cells"]
    if sheets == 2:
        at = nb.random.randrange(1, len(found))
        notebook["worksheets"] = [{"cells": found[:at]}, {"cells": found[at:], "metadata": {}}]
    return json.dumps(notebook, indent=1).encode()


def by_jupytext(nb: Draft, extension: str, form: str, stripped: bool = False) -> bytes:
    """``stripped``: without the metadata of cells."""
    CHANGES["outputs-none"](nb)
    if stripped:
        nb["metadata"]["jupytext"] = {"cell_metadata_filter": "-all"}
    fmt = {"extension": extension, "format_name": form}
    return str(jupytext.writes(nbformat.from_dict(nb), fmt=fmt)).encode()


def by_nbconvert(nb: Draft) -> bytes:
    """`jupyter nbconvert --to script`."""
    return str(PythonExporter().from_notebook_node(nbformat.from_dict(nb))[0]).encode()


def by_nbformat(nb: Draft) -> bytes:
    return str(nbformat.writes(nbformat.from_dict(nb.saved()))).encode()


def in_quarto(nb: Draft) -> bytes:
    """As `quarto convert` writes it: metadata as options above the code."""
    return ("---\njupyter: python3\n---\n\n" + "\n".join(map(_quarto_cell, nb.cells))).encode()


def _quarto_cell(cell: Cell) -> str:
    if cell["cell_type"] != "code":
        return f"{cell['source']}\n"
    options = "".join(
        f"#| {key}: {value if isinstance(value, str) else json.dumps(value)}\n"
        for key, value in cell["metadata"].items()
    )
    return f"```{{python}}\n{options}{cell['source']}\n```\n"


def in_vscode(nb: Draft) -> bytes:
    """As VS Code exports a Python script."""
    parts = [
        f"# %%\n{cell['source']}\n"
        if cell["cell_type"] == "code"
        else f"# %% [markdown]\n{prompts(cell['source'], '# ', '# ')}\n"
        for cell in nb.cells
    ]
    return "\n".join(parts).encode()


def in_colab(nb: Draft) -> bytes:
    """As Colab downloads a Python script: no marks between cells, text in quotes."""
    parts = [CELLS["colab-script"] + "\n"]
    for cell in nb.cells:
        escaped = cell["source"].replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        parts.append(cell["source"] if cell["cell_type"] == "code" else f'"""{escaped}\n"""')
    return "\n\n".join(parts).encode()


def all_code(nb: Draft) -> bytes:
    """As if copied into a plain Python file."""
    return ("\n\n".join(cell["source"] for cell in code(nb)) + "\n").encode()


def in_text(
    nb: Draft,
    encoding: str = "utf-8",
    replaced: Mapping[str, str] = {},
    before: str = "",
    after: str = "",
) -> bytes:
    """Another text of the file, or another encoding."""
    text = nb.written()
    for old, new in replaced.items():
        text = text.replace(old, new)
    return f"{before}{text}{after}".encode(encoding, "backslashreplace")


def with_commas(nb: Draft) -> bytes:
    """After the last entry of each list and object, as an editor by hand leaves them."""
    return re.sub(r"(?<=[^\[{,\s])(?=\n\s*[\]}])", ",", nb.written()).encode()


def with_sources(nb: Draft, end: str = "\n", first: str = "", parts: str = "none") -> bytes:
    """The source of each cell with other ends of lines, or as parts of another kind."""
    for cell in nb.cells:
        source = first + cell["source"].replace("\n", end)
        cell["source"] = {
            "none": source,
            "one": [source],
            "lines": source.split("\n"),
            "lines with ends": source.splitlines(keepends=True),
        }[parts]
    return json.dumps(nb, ensure_ascii=False, indent=1).encode()


def in_json(nb: Draft, **options: Any) -> bytes:
    return json.dumps(nb.saved(), **options).encode()


def zipped(nb: Draft, member: str = FILE, beside: Sequence[str] = ()) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name in (*beside, member):
            data = nb.written() if name == member else ""
            made.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


# ------------------------------------------------------------------ the table


def read_file_kind(
    name: str,
    write: str = "in_text",
    files: Sequence[str] = (FILE,),
    changes: Sequence[Mapping[str, Any]] = (),
    **more: Any,
) -> Kind:
    return Kind(name, all_done(changes), partial(globals()[write], **more), files)


ALSO_BARE = {name for names in TABLE["also_bare"] for name in names}
KINDS = (
    Kind("none"),
    *(
        Kind(f"{name}-bare", together(change, STRIPPED)) if bare else Kind(name, change)
        for name, change in CHANGES.items()
        for bare in ((False, True) if name in ALSO_BARE else (False,))
    ),
    *(read_file_kind(name, **row) for name, row in TABLE["files"].items()),
)
