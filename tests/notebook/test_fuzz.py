"""Hand-ins under attack: every file is read or refused in a sentence, and soon.

Damages of bytes, of JSON and of archives, always the same ones; files of the test's own
making are never run.
"""

from __future__ import annotations

import io
import json
import os
import random
import struct
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import pytest

from autograder.assignment.load import Loaded
from autograder.errors import SubmissionError, UsageError
from autograder.notebook.formats import archive, convert, markdown
from autograder.notebook.formats.find import find, read_found
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import locate
from autograder.notebook.structure.names import MAX_REMEMBERED, parse, read_names
from autograder.notebook.structure.scanned import MAX_PARSED
from autograder.notebook.structure.uses import read_uses
from autograder.notebook.submission import NotebookCell, Submission
from tests.support.effort import costs_at_most
from tests.support.notebook_json import code, converted_here, notebook, sample

NOTEBOOKS = 1_500
SCRIPTS = 600
TEXTS = 250  # of each other format that is text
ARCHIVES = 400
ONE_SECONDS = 2.0  # of processor time, for a single file
ALL_SECONDS = 20.0  # for all notebooks and scripts


PYTHON = {
    "kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"},
    "language_info": {"name": "python", "version": "3.11"},
}
SHOWN = {"outputs": [{"output_type": "stream", "name": "stdout", "text": ["a"]}]}
FULL = notebook(
    code(["import torch\n", "e = torch.nn.Embedding(10, 4)"], id_="c", exercise="embedding_lookup"),
    {"cell_type": "markdown", "id": "m", "metadata": {"locked": True}, "source": "# Größe\n"},
    code("%matplotlib inline\n!ls\nx, y = 1, (z := 2)", locked=True) | SHOWN,
    {"cell_type": "raw", "metadata": {}, "source": [], "attachments": {"a.png": {"image/png": ""}}},
    code("def f(a):\n    raise NotImplementedError\n", tags=["a"], vscode={"languageId": "python"}),
    **PYTHON,
)
SHEETS = {
    "nbformat": 3,
    "metadata": {"name": ""},
    "worksheets": [
        {
            "cells": [
                {"cell_type": "code", "language": "python", "input": ["x = 1"], "outputs": []},
                {"cell_type": "heading", "level": 2, "source": ["Title"]},
            ],
            "metadata": {},
        }
    ],
}
SCRIPT, RMD = sample("percent"), sample("rmd")
KEPT_AS_TEXT = {
    "light": ("a.py", sample("light")),
    "plain": ("a.py", sample("colab")),
    "rmd": ("a.Rmd", RMD),
    "qmd": ("a.qmd", RMD),
    "renamed": ("a.ipynb", sample("light")),
}
ODD: list[Any] = [None, True, False, 0, -1, 4.5, -0.0, 2**70, 10**400, float("nan"), float("inf")]
ODD += [[], [[]], {}, {"a": []}, ["a", 1, None], ["line\n"] * 300, "", "\ud800", "\0", "\u202e"]
ODD += "x code markdown python R ../../etc/passwd __proto__".split()
ODD += ["<<<<<<< HEAD", "\r\n\r", "%%bash\nls", "# %%\n" * 50, "a" * 3_000, "(" * 500]
ODD += ["import " + "a." * 2_000 + "b", "1" + "+1" * 3_000, "f" + "()" * 2_000]
TOKENS = rb'[ ] { } " , : ,] ,} ( \ null NaN -Infinity 1e999 \ud800 \u0000'.split()
TOKENS += [b'"cells"', b'"worksheets"', b'"nbformat": 2', b'{"cells": []}', b"<!DOCTYPE html>"]
TOKENS += [b"\0", b"\r", b"\n\n", b"\x1b[2J", b"{" * 4_000, b"[" * 200_000, b"9" * 5_000]
TOKENS += [b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3\x28", b"\xe2\x80\xae"]
TOKENS += [b"# %%\n", b"# +\n", b"# -\n", b"# %%time\n", b"---\n", b"\n\nelse:\n", b"'''", b'"""']
TOKENS += [b"<<<<<<< a\n", b">>>>>>> b\n", b"```{python}\n", b"```\n", b"<!-- #region -->\n"]


# ---------------------------------------------------------------- damages


def places(node: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    if isinstance(node, dict):
        for key in node:
            yield from places(node[key], (*way, key))
    elif isinstance(node, list):
        for at, part in enumerate(node):
            yield from places(part, (*way, at))


def replaced(node: Any, way: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    if not way:
        return change(node)
    copy: Any = dict(node) if isinstance(node, dict) else list(node)
    copy[way[0]] = replaced(node[way[0]], way[1:], change)
    return copy


class Damage:
    """Damaged hand-ins of one seed."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._trees = [(tree, list(places(tree))) for tree in (FULL, SHEETS)]

    def notebook(self) -> bytes:
        rng = self._rng
        tree, ways = rng.choice(self._trees)
        for _ in range(rng.randint(0, 3)):
            try:
                tree = replaced(tree, rng.choice(ways), self._other)
            except (LookupError, TypeError):  # an earlier change took this part away
                break
        if rng.random() < 0.1 and isinstance(tree, dict):
            tree = {**tree, "nbformat": rng.choice((1, 2, 3, 5, 99, "4", None, -4, 4.5))}
        text = json.dumps(tree, ensure_ascii=rng.random() < 0.5)
        if rng.random() < 0.15:  # the last of two equal keys counts
            text = text.replace('"cells":', f'"cells": {json.dumps(rng.choice(ODD))}, "cells":', 1)
        return self._encoded(text)

    def script(self, text: str = SCRIPT) -> bytes:
        return self.bytes(self._encoded(text))

    def _other(self, old: Any) -> Any:
        rng = self._rng
        match rng.randrange(6):
            case 0 if isinstance(old, dict) and old:
                gone = rng.choice(list(old))
                return {key: value for key, value in old.items() if key != gone}
            case 1 if isinstance(old, dict):
                return {**old, rng.choice(("id", "source", "cells", "metadata")): rng.choice(ODD)}
            case 2 if isinstance(old, list):
                return old * rng.choice((0, 2, 50))
            case 3:
                for _ in range(rng.choice((1, 20, 300))):
                    old = [old]
                return old
        return rng.choice(ODD)

    def _encoded(self, text: str) -> bytes:
        rng = self._rng
        others = ("utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252")
        coding = rng.choice(("utf-8",) * 12 + others)
        data = text.encode(coding, "replace" if coding == "cp1252" else "surrogatepass")
        return self.bytes(data) if rng.random() < 0.4 else data

    def bytes(self, data: bytes) -> bytes:
        rng, changed = self._rng, bytearray(data)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(changed) + 1)
            match rng.randrange(6):
                case 0:
                    del changed[at : at + rng.randint(1, 9)]
                case 1:
                    changed[at : at + rng.randint(0, 9)] = rng.choice(TOKENS)
                case 2 if at < len(changed):
                    changed[at] ^= 1 << rng.randrange(8)
                case 3:
                    changed[at:at] = changed[at : at + 200] * rng.randint(1, 20)
                case 4:
                    del changed[at:]
                case _:
                    changed[at:at] = rng.randbytes(rng.randint(1, 6))
        return bytes(changed)


def sound(submission: Submission) -> None:
    """What the rest of the program may take for granted of a hand-in that was read."""
    assert [cell.number for cell in submission.cells] == list(range(1, len(submission.cells) + 1))
    for cell in submission.cells:
        assert cell.kind in ("code", "markdown", "raw")
        assert not set(cell.source) & {"\0", "\r"}
        (cell.source + cell.exercise).encode()
        assert len(cell.id) <= 64 and not cell.id.strip(ascii_letters + digits + "_-")
    assert submission.stamp is None or len(submission.stamp.version) <= 100
    "".join(submission.repairs).encode()


def check(name: str, data: bytes, flagship: Loaded) -> str:
    """Read one damaged file as ``grade`` would; the word for how it ended."""
    try:
        submission = read(Path(name), data=data)
    except SubmissionError as bad:
        assert str(bad).startswith(f"{name}: "), str(bad)[:200]
        assert len(str(bad).encode()) < 2_000
        return "refused"
    sound(submission)
    locate(flagship.spec, submission)
    return "read"


@pytest.mark.parametrize(("kind", "count"), [("notebook", NOTEBOOKS), ("script", SCRIPTS)])
def test_thousands_of_damaged_hand_ins_are_read_or_refused(
    kind: str, count: int, flagship: Loaded
) -> None:
    damage, ended = Damage(21), Counter[str]()
    with costs_at_most(ALL_SECONDS):
        for _ in range(count):
            data = damage.notebook() if kind == "notebook" else damage.script()
            with costs_at_most(ONE_SECONDS):
                ended[check("a.ipynb" if kind == "notebook" else "a.py", data, flagship)] += 1
    assert min(ended["read"], ended["refused"]) > count / 40, ended


@pytest.mark.slow
@pytest.mark.parametrize("kind", KEPT_AS_TEXT)
def test_damaged_notebooks_kept_as_text_are_read_or_refused(
    kind: str, flagship: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """jupytext works in this process, so that there can be many; its own is tested below."""
    monkeypatch.setattr(markdown, "converted", converted_here)
    (name, text), damage, ended = KEPT_AS_TEXT[kind], Damage(22), Counter[str]()
    for _ in range(TEXTS):
        data = damage.script(text)
        with costs_at_most(ONE_SECONDS):
            ended[check(name, data, flagship)] += 1
    assert ended["read"] > TEXTS / 4, ended
    assert ended["refused"] > 0


def test_damaged_texts_do_not_harm_the_process_that_converts() -> None:
    damage = Damage(25)
    texts = [damage.script(RMD).decode(errors="replace") for _ in range(60)]
    answers = convert.converted(texts, extension=".Rmd", form="rmarkdown")
    assert answers is not None and len(answers) == 60
    assert sum(isinstance(answer, list) for answer in answers) > 30


# ---------------------------------------------------------------- cells that are hard to parse


SLOW = {
    "dots": "import " + "a." * 90_000 + "a",
    "dots over lines": "import " + "a\\\n.\\\n" * 30_000 + "a",
    "dots from": "from ..." + "é . " * 40_000 + "é import b",
    "brackets": "(" * 190 + "a" + ")" * 190,
    "open brackets": "(" * 100_000,
    "calls": "f(" * 150,
    "unary": "-" * 190_000 + "1",
    "sums": "+".join("a" * 90_000),
    "chain": "a" + ".b" * 90_000,
    "comparisons": "a<" * 45_000 + "a",
    "lambdas": "lambda:" * 2_000 + "1",
    "comprehensions": "[" * 90 + "a" + " for a in b]" * 90,
    "statements": "a;" * 45_000,
    "lines": "x = 1\n" * 33_000,
    "else ifs": "if 1:\n pass\n" + "elif 1:\n pass\n" * 14_000,
    "one word": "a" * 199_000,
    "blanks": " " * 199_000 + "x",
    "blanks and a magic": "a" + " " * 150_000 + "!",
    "targets": "a, " * 30_000 + "= 1",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", SLOW)
def test_no_cell_is_slow_or_costly_to_look_at(what: str) -> None:
    source = SLOW[what][:199_999]
    tracemalloc.start()
    with costs_at_most(25.0):  # measured with every allocation watched
        try:
            read_names(source)
            assert tracemalloc.get_traced_memory()[1] < 400_000_000
        finally:
            tracemalloc.stop()
    with costs_at_most(10.0):
        read_uses(source)


def test_names_are_still_found_where_a_cell_is_too_much_to_parse() -> None:
    long = "x = 1\n" * 150_000
    with costs_at_most(10.0):
        assert parse(long) is None and read_names(long).defined == {"x"}
    for refused in ("a = 1\0", " " * 150_000 + "x = !", "a = '\\d'"):
        read_names(refused)
    assert "kept" in read_names(SLOW["dots"] + "\nkept = 1").defined
    honest = "import a.b.c\nx = a.b.c.d.e(1).f\n" + "y = [0.5, 1.5]\n" * 9_000
    assert read_names(honest).defined == {"a", "x", "y"}


@pytest.mark.slow
def test_a_notebook_of_many_costly_cells_is_located_soon(flagship: Loaded) -> None:
    cells = [NotebookCell(n, "code", f"x{n} = 1;" + "a;" * 90_000) for n in range(1, 60)]
    last = NotebookCell(60, "code", "embedding = 1")
    with costs_at_most(30.0):
        located = locate(flagship.spec, Submission("a", "0", (*cells, last)))
    assert sum(len(cell.source) for cell in cells) > 10 * MAX_PARSED
    assert dict(located.keep_after)["embedding_lookup"] == 60


def test_long_cells_are_not_kept_in_memory() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(50):
            read_names(f"# {number}" + "x" * 100 * MAX_REMEMBERED)
        assert tracemalloc.get_traced_memory()[0] - before < 10_000_000
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------- archives

BODY = json.dumps(FULL).encode()


def packed(*members: tuple[str, bytes]) -> bytes:
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members:
            made.writestr(name, data)
    return page.getvalue()


def outcome(path: Path) -> str:
    """Find and read everything in a file; the word for how it ended."""
    word = "empty"
    for one in find([path]):
        one.name.encode()
        one.student.encode()
        try:
            sound(read_found(one))
            word = "read"
        except SubmissionError as bad:
            str(bad).encode()
            word = "refused" if word == "empty" else word
    return word


def test_hundreds_of_damaged_archives_are_read_or_refused(tmp_path: Path) -> None:
    members = [("a/student-01.ipynb", BODY), ("b\\student-02.py", SCRIPT.encode()), ("c/", b"")]
    data = packed(*members)
    rng, ended, path = random.Random(5), Counter[str](), tmp_path / "class.zip"
    heads = [at for at in range(len(data) - 4) if data[at : at + 2] == b"PK"]
    for _ in range(ARCHIVES):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            at = rng.choice(heads) + rng.randrange(46)
            size = rng.choice((1, 2, 4))
            changed[at : at + size] = rng.choice((b"\xff" * size, bytes(size), rng.randbytes(size)))
        path.write_bytes(changed if rng.random() < 0.8 else changed[: rng.randrange(len(data))])
        with costs_at_most(ONE_SECONDS):
            ended[outcome(path)] += 1
    assert min(ended["read"], ended["refused"]) > ARCHIVES / 20, ended


def central(name: bytes, *, offset: int, size: int, packed_size: int, crc: int) -> bytes:
    """One entry of an archive's list, deflated."""
    return (
        struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            20,
            20,
            0,
            8,
            0,
            33,
            crc,
            packed_size,
            size,
            len(name),
            0,
            0,
            0,
            0,
            0,
            offset,
        )
        + name
    )


def ending(count: int, size: int, offset: int) -> bytes:
    return struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size, offset, 0)


def test_a_list_of_a_million_entries_is_refused_before_it_is_read(tmp_path: Path) -> None:
    entry = central(b"a.ipynb", offset=0, size=1, packed_size=1, crc=0)
    path = tmp_path / "class.zip"
    path.write_bytes(entry * 1_000_000 + ending(65_535, len(entry) * 1_000_000, 0))
    tracemalloc.start()
    with costs_at_most(1.0):
        try:
            assert outcome(path) == "refused"
            assert tracemalloc.get_traced_memory()[1] < 2_000_000
        finally:
            tracemalloc.stop()
    many = archive.MAX_DIRECTORY // len(entry)
    path.write_bytes(entry * many + ending(65_535, len(entry) * many, 0))
    with costs_at_most(10.0):
        assert "entries" in find([path])[0].error  # as many as the list may hold: still too many


def test_entries_that_share_their_bytes_cannot_multiply_them(tmp_path: Path) -> None:
    """Each unpacks to nine million bytes, and all lie in one place of the archive."""
    whole = packed(("s.ipynb", b" " * 9_000_000))
    with zipfile.ZipFile(io.BytesIO(whole)) as made:
        info = made.infolist()[0]
    body = whole[: whole.index(b"PK\x01\x02")]
    entries = b"".join(
        central(b"s.ipynb", offset=0, size=9_000_000, packed_size=info.compress_size, crc=info.CRC)
        for _ in range(200)
    )
    path = tmp_path / "class.zip"
    path.write_bytes(body + entries + ending(200, len(entries), len(body)))
    assert len(path.read_bytes()) < 100_000
    (one,) = find([path])
    assert "unpack to 1,800,000,000 bytes" in one.error


def test_a_member_that_lies_about_its_sizes_takes_bounded_memory(tmp_path: Path) -> None:
    whole = bytearray(packed(("s.ipynb", b" " * 200_000_000)))
    at = whole.index(b"PK\x01\x02")
    for size in (1_000, 9_000_000):
        struct.pack_into("<L", whole, at + 24, size)
        path = tmp_path / "class.zip"
        path.write_bytes(whole)
        tracemalloc.start()
        try:
            assert outcome(path) == "refused"
            assert tracemalloc.get_traced_memory()[1] < 160_000_000
        finally:
            tracemalloc.stop()


MEMBERS = r"..\..\x.ipynb \\server\x.ipynb c:\x.ipynb x/../../y.ipynb /x.ipynb ./x.ipynb".split()
MEMBERS += "a//b.ipynb .ipynb ..ipynb con.ipynb x.ipynb/ =1+1.ipynb -rf.ipynb x.IPYNB".split()
MEMBERS += ["ünï/ö.py", "../x.zip", "a\nb.ipynb", "x.ipynb\n", "\x1b[2J.ipynb", "\u202ecod.ipynb"]
MEMBERS += ["a\x00.ipynb", "\0" * 8, "\ud800.ipynb", "a" * 60_000 + ".ipynb"]


@pytest.mark.parametrize("name", MEMBERS, ids=lambda name: ascii(name[:16]))
def test_a_members_name_never_leads_anywhere_or_hides(name: str, tmp_path: Path) -> None:
    raw = name.encode("utf-8", "surrogatepass")
    placeholder = "n" * len(raw)
    data = packed((placeholder, BODY)).replace(placeholder.encode(), raw)
    flagged = bytearray(data)
    for mark, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):  # the names are UTF-8
        flagged[flagged.index(mark) + flags + 1] |= 8
    path = tmp_path / "around" / "the class" / "class.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(flagged)
    before = sorted(tmp_path.rglob("*"))
    for one in find([path]):
        assert not any(ord(sign) < 32 or sign in "\u202e\x7f" for sign in one.student)
        one.student.encode()
        if ".." in name or name.startswith(("/", "\\", "c:")):
            assert one.error
    outcome(path)
    assert sorted(tmp_path.rglob("*")) == before


# ---------------------------------------------------------------- what is no file


@pytest.mark.parametrize("name", ["x.ipynb", "x.py", "x.zip"])
def test_a_named_pipe_is_called_what_it_is_and_never_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    os.mkfifo(tmp_path / "x.md")
    (one,) = find([tmp_path])
    with pytest.raises(SubmissionError, match=r"not a (regular )?file"):
        read_found(one)
    with pytest.raises(UsageError, match="not a regular file"):
        find([tmp_path / name])
    if name != "x.zip":
        with pytest.raises(SubmissionError, match="not a regular file"):
            read(tmp_path / name)
