"""Damage of the file itself: encodings, line ends, almost-JSON, names, archives."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

from tests.support.damage.hand_in import (
    FILE,
    Base,
    Cell,
    Damaged,
    Kind,
    Make,
    Notebook,
    own,
    saved,
    written,
)

Rewrite = Callable[[str, Random], bytes]


def _bytes(rewrite: Rewrite) -> Make:
    """Another way to write the text of the file."""

    def make(base: Base, random: Random) -> Damaged:
        return Damaged(rewrite(written(base.copy()).data.decode(), random))

    return make


def _latin(base: Base, random: Random) -> Damaged:
    """Saved as code page 1252; what it lacks is written as an escape."""
    notebook = base.copy()
    for cell in own(notebook):
        cell["source"] += "\n# Größe, naïve Lösung, voilà, señor"
    text = json.dumps(saved(notebook), ensure_ascii=False, indent=1)
    return Damaged(text.encode("cp1252", "backslashreplace"))


def _sources(change: Callable[[str], Any]) -> Make:
    """Another way to write the source of each cell."""

    def make(base: Base, random: Random) -> Damaged:
        notebook = base.copy()
        for cell in notebook["cells"]:
            cell["source"] = change(cell["source"])
        return Damaged(json.dumps(notebook, ensure_ascii=False, indent=1).encode())

    return make


def _json(**options: Any) -> Make:
    def make(base: Base, random: Random) -> Damaged:
        return Damaged(json.dumps(saved(base.copy()), **options).encode())

    return make


def _nan(base: Base, random: Random) -> Damaged:
    notebook = base.copy()
    for cell in notebook["cells"]:
        cell["metadata"]["time"] = random.choice([float("nan"), float("inf"), float("-inf")])
    notebook["metadata"]["score"] = float("nan")
    return Damaged(json.dumps(saved(notebook), indent=1).encode())


def _trailing_commas(text: str, random: Random) -> bytes:
    """After the last entry of each list and object, as an editor by hand leaves them."""
    lines = text.split("\n")
    for at, line in enumerate(lines[1:]):
        closes = line.strip() in ("]", "],", "}", "},")
        if closes and not lines[at].rstrip().endswith(("[", "{", ",")):
            lines[at] += ","
    return "\n".join(lines).encode()


def _control_characters(text: str, random: Random) -> bytes:
    """Tabs and form feeds as they are where JSON wants escapes."""
    return text.replace("Given:", "Given:\t").replace("# Define", "\t\x0c# Define").encode()


def _deep(notebook: Notebook, random: Random) -> None:
    inner: Any = 1
    for _ in range(60):
        inner = {"more": [inner]}
    notebook["metadata"]["deep"] = inner


def _nested(base: Base, random: Random) -> Damaged:
    notebook = base.copy()
    _deep(notebook, random)
    return written(notebook)


def _lines(source: str) -> list[str]:
    return source.split("\n")


# ------------------------------------------------------------------ names and archives

NAMES = (
    "student-01.ipynb.txt",
    "student-01.IPYNB",
    "student-01.ipynb.json",
    "student-01 (1).ipynb",
    "Übung 3 – final FINAL.ipynb",
    "homework.v2.final.ipynb",
    "-student.ipynb",
    "a" * 200 + ".ipynb",
    "student;rm -rf.ipynb",
    "学生.ipynb",
)


def _renamed(base: Base, random: Random) -> Damaged:
    return Damaged(written(base.copy()).data, random.choice(NAMES))


def _in_folders(base: Base, random: Random) -> Damaged:
    folders = "/".join(f"folder {n}" for n in range(random.randint(2, 20)))
    return Damaged(written(base.copy()).data, f"{folders}/{FILE}")


def _zipped(base: Base, random: Random) -> Damaged:
    """In folders in an archive, beside what a Mac and Jupyter put there."""
    names = (
        "homework/",
        f"homework/.ipynb_checkpoints/{FILE}",
        f"__MACOSX/homework/._{FILE}",
        "homework/.DS_Store",
        "homework/data.csv",
    )
    return _archive(written(base.copy()).data, f"homework/{FILE}", names)


def _zipped_flat(base: Base, random: Random) -> Damaged:
    return _archive(written(base.copy()).data, FILE, ())


def _archive(data: bytes, name: str, beside: tuple[str, ...]) -> Damaged:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for member, content in (*((other, b"") for other in beside), (name, data)):
            archive.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)
    return Damaged(stream.getvalue(), "student-01.zip")


def _with_cells(change: Callable[[Cell], None]) -> Make:
    def make(base: Base, random: Random) -> Damaged:
        notebook = base.copy()
        for cell in notebook["cells"]:
            change(cell)
        return Damaged(json.dumps(notebook, ensure_ascii=False).encode())

    return make


def _marked_source(cell: Cell) -> None:
    cell["source"] = "\ufeff" + cell["source"]


KINDS = (
    Kind("utf-8-bom", "UTF-8 with a byte order mark", _bytes(lambda t, r: t.encode("utf-8-sig"))),
    Kind("utf-16", "UTF-16 with a byte order mark", _bytes(lambda t, r: t.encode("utf-16"))),
    Kind("utf-16-be", "UTF-16, big end first, no mark", _bytes(lambda t, r: t.encode("utf-16-be"))),
    Kind("utf-32", "UTF-32", _bytes(lambda t, r: t.encode("utf-32"))),
    Kind("cp1252", "Windows-1252 with accents in comments", _latin),
    Kind(
        "crlf-file",
        "Windows line ends in the file",
        _bytes(lambda t, r: t.replace("\n", "\r\n").encode()),
    ),
    Kind(
        "crlf-sources",
        "Windows line ends in the cells",
        _sources(lambda s: s.replace("\n", "\r\n")),
    ),
    Kind("cr-sources", "old Mac line ends in the cells", _sources(lambda s: s.replace("\n", "\r"))),
    Kind(
        "crlf-lists",
        "Windows line ends in lists of lines",
        _sources(lambda s: s.replace("\n", "\r\n").splitlines(keepends=True)),
    ),
    Kind("source-text", "each source one text", _sources(lambda s: s)),
    Kind("source-lines", "sources as lists of lines without their ends", _sources(_lines)),
    Kind("source-one-list", "each source a list of one text", _sources(lambda s: [s])),
    Kind("source-marked", "a byte order mark in each cell", _with_cells(_marked_source)),
    Kind("json-one-line", "the whole file on one line", _json(separators=(",", ":"))),
    Kind("json-tabs", "indented by tabs, keys sorted", _json(indent="\t", sort_keys=True)),
    Kind("json-ascii", "every other letter as an escape", _json(ensure_ascii=True)),
    Kind("json-nan", "NaN and Infinity in the metadata", _nan),
    Kind("json-commas", "commas after the last entries", _bytes(_trailing_commas)),
    Kind("json-control", "control characters that are not escaped", _bytes(_control_characters)),
    Kind("json-deep", "metadata nested sixty deep", _nested),
    Kind(
        "nul-padding", "NUL characters after the end", _bytes(lambda t, r: t.encode() + bytes(512))
    ),
    Kind(
        "blank-around",
        "blank lines around the file",
        _bytes(lambda t, r: f"\n\n  {t}\n\n \n".encode()),
    ),
    Kind("renamed", "another name or ending", _renamed),
    Kind("in-folders", "in folders within folders", _in_folders),
    Kind("zipped", "in an archive, beside other files", _zipped),
    Kind("zipped-flat", "alone in an archive", _zipped_flat),
)
