"""All kinds of damage: by the changes of a notebook, and by how its file is written."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jupytext
import nbformat
from nbconvert import PythonExporter

from tests.support.damage import sources
from tests.support.damage.changes import (
    CELLS,
    CHANGES,
    OUTPUTS,
    TABLE,
    any_of,
    everything,
    mark,
    on,
    put,
    write,
)
from tests.support.damage.submission import FILE, Cell, Draft, Kind, answers, code

# ------------------------------------------------------------------ other formats and encodings


def version_3(nb: Draft, *, sheets: int = 1) -> bytes:
    """Two worksheets are what nothing but the old format had."""
    old = nbformat.convert(nbformat.from_dict(nb), 3)
    notebook = json.loads(nbformat.writes(old, version=3))
    found = notebook["worksheets"][0]["cells"]
    if sheets == 2:
        at = nb.random.randrange(1, len(found))
        notebook["worksheets"] = [{"cells": found[:at]}, {"cells": found[at:], "metadata": {}}]
    return json.dumps(notebook, indent=1).encode()


def jupytext_kind(name: str, extension: str, form: str) -> Kind:
    """``-stripped``: without the metadata of cells."""

    def by_jupytext(nb: Draft) -> bytes:
        OUTPUTS["outputs-none"](nb)
        if name.endswith("-stripped"):
            nb["metadata"]["jupytext"] = {"cell_metadata_filter": "-all"}
        fmt = {"extension": extension, "format_name": form}
        return str(jupytext.writes(nbformat.from_dict(nb), fmt=fmt)).encode()

    return Kind(name, write=by_jupytext, files=[f"student-01{extension}"])


def in_text(nb: Draft, write: Callable[[str], bytes]) -> bytes:
    return write(nb.written())


def by_nbconvert(nb: Draft) -> bytes:
    """`jupyter nbconvert --to script`."""
    return str(PythonExporter().from_notebook_node(nbformat.from_dict(nb))[0]).encode()


def by_nbformat(nb: Draft) -> bytes:
    return str(nbformat.writes(nbformat.from_dict(nb.saved()))).encode()


def in_quarto(cell: Cell) -> str:
    """As `quarto convert` writes it: metadata as options above the code."""
    if cell["cell_type"] != "code":
        return f"{cell['source']}\n"
    options = "".join(
        f"#| {key}: {value if isinstance(value, str) else json.dumps(value)}\n"
        for key, value in cell["metadata"].items()
    )
    return f"```{{python}}\n{options}{cell['source']}\n```\n"


def in_vscode(cell: Cell) -> str:
    """As VS Code exports a Python script."""
    if cell["cell_type"] == "code":
        return f"# %%\n{cell['source']}\n"
    return f"# %% [markdown]\n{sources.prompts(cell['source'], '# ', '# ')}\n"


def in_colab(cell: Cell) -> str:
    """As Colab downloads a Python script: no marks between cells, text in quotes."""
    if cell["cell_type"] == "code":
        return str(cell["source"])
    escaped = cell["source"].replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{escaped}\n"""'


def pieces(nb: Draft, write: Callable[[Cell], str], head: str = "", between: str = "\n") -> bytes:
    return (head + between.join(write(cell) for cell in nb.cells)).encode()


def all_code(nb: Draft) -> bytes:
    """As if copied into a plain Python file."""
    return ("\n\n".join(cell["source"] for cell in code(nb)) + "\n").encode()


def in_json(nb: Draft, **options: Any) -> bytes:
    return json.dumps(nb.saved(), **options).encode()


def with_sources(nb: Draft, write: Callable[[str], Any]) -> bytes:
    """Another way to write the source of each cell."""
    on(everything, put, source=lambda nb, cell: write(cell["source"]))(nb)
    return json.dumps(nb, ensure_ascii=False, indent=1).encode()


def with_commas(text: str) -> bytes:
    """After the last entry of each list and object, as an editor by hand leaves them."""
    return re.sub(r"(?<=[^\[{,\s])(?=\n\s*[\]}])", ",", text).encode()


def with_controls(text: str) -> bytes:
    """Tabs and form feeds as they are where JSON wants escapes."""
    return text.replace("Given:", "Given:\t").replace("# Define", "\t\x0c# Define").encode()


def in_cp1252(text: str) -> bytes:
    return text.encode("cp1252", "backslashreplace")


def zipped(nb: Draft, name: str = FILE, beside: Sequence[str] = ()) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for member in (*beside, name):
            data = nb.written() if member == name else ""
            made.writestr(zipfile.ZipInfo(member), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def nest(nb: Draft) -> None:
    for _ in range(60):
        nb["metadata"]["deep"] = {"more": [nb["metadata"].get("deep", 1)]}


def write_nan(nb: Draft) -> None:
    on(everything, mark, time=any_of(float("nan"), float("inf"), float("-inf")))(nb)
    nb["metadata"]["score"] = float("nan")


NAMES = (*TABLE["names"], "a" * 200 + ".ipynb")
FOLDERS = tuple("".join(f"folder {n}/" for n in range(depth)) + FILE for depth in range(2, 21))
QMD = ("student-01.qmd",)
ACCENTS = on(answers, write, "SOURCE\n# Größe, naïve Lösung, voilà, señor")
QUARTO = partial(pieces, write=in_quarto, head="---\njupyter: python3\n---\n\n")
TEXTS: dict[str, Callable[[str], bytes]] = {  # how the text of the file is written
    "utf-8-bom": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be": lambda text: text.encode("utf-16-be"),
    "utf-32": lambda text: text.encode("utf-32"),
    "crlf-file": lambda text: text.replace("\n", "\r\n").encode(),
    "json-commas": with_commas,
    "json-control": with_controls,
    "nul-padding": lambda text: text.encode() + bytes(512),
    "blank-around": lambda text: f"\n\n  {text}\n\n \n".encode(),
}
SOURCES: dict[str, Callable[[str], Any]] = {  # how the source of a cell is written
    "crlf-sources": lambda source: source.replace("\n", "\r\n"),
    "cr-sources": lambda source: source.replace("\n", "\r"),
    "crlf-lists": lambda source: source.replace("\n", "\r\n").splitlines(keepends=True),
    "source-text": str,
    "source-lines": lambda source: source.split("\n"),
    "source-one-list": lambda source: [source],
    "source-marked": lambda source: f"\ufeff{source}",
}
PY, ZIP = ("student-01.py",), ("student-01.zip",)
COLAB_SCRIPT = partial(
    pieces, write=in_colab, head=CELLS["colab-script"] + "\n\n\n", between="\n\n"
)
HOMEWORK = partial(zipped, name=f"homework/{FILE}", beside=TABLE["beside"])

FILES = (
    Kind("nbformat-3", write=version_3),
    Kind("nbformat-3-sheets", write=partial(version_3, sheets=2)),
    Kind("nbformat-saved", write=by_nbformat),
    jupytext_kind("percent", ".py", "percent"),
    jupytext_kind("percent-stripped", ".py", "percent"),
    jupytext_kind("hydrogen", ".py", "hydrogen"),
    jupytext_kind("light", ".py", "light"),
    jupytext_kind("light-stripped", ".py", "light"),
    jupytext_kind("rmd", ".Rmd", "rmarkdown"),
    jupytext_kind("rmd-stripped", ".Rmd", "rmarkdown"),
    Kind("qmd", write=QUARTO, files=QMD),
    Kind("qmd-stripped", Draft.strip, write=QUARTO, files=QMD),
    Kind("nbconvert-script", write=by_nbconvert, files=PY),
    Kind("vscode-script", write=partial(pieces, write=in_vscode), files=PY),
    Kind("colab-script", write=COLAB_SCRIPT, files=PY),
    Kind("plain-script", write=all_code, files=PY),
    Kind("py-holds-notebook", files=PY),
    *(Kind(name, write=partial(in_text, write=write)) for name, write in TEXTS.items()),
    Kind("cp1252", ACCENTS, write=partial(in_text, write=in_cp1252)),
    *(Kind(name, write=partial(with_sources, write=write)) for name, write in SOURCES.items()),
    Kind("json-one-line", write=partial(in_json, separators=(",", ":"))),
    Kind("json-tabs", write=partial(in_json, indent="\t", sort_keys=True)),
    Kind("json-ascii", write=in_json),
    Kind("json-nan", write_nan),
    Kind("json-deep", nest),
    Kind("renamed", files=NAMES),
    Kind("in-folders", files=FOLDERS),
    Kind("zipped", write=HOMEWORK, files=ZIP),
    Kind("zipped-flat", write=zipped, files=ZIP),
)


BARE = ("copy-blank-above-bare", "copy-blank-below-bare", "split-bare", "split-all-bare")
ALSO_BARE = {name for names in TABLE["also_bare"] for name in names}
KINDS = (
    Kind("none"),
    *(
        Kind(f"{name}-bare" if bare else name, change, bare=bare or name in BARE)
        for name, change in CHANGES.items()
        for bare in ((False, True) if name in ALSO_BARE else (False,))
    ),
    *FILES,
)
