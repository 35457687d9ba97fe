"""Sheets: read and written back byte for byte, whatever their encoding and dialect."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import random

import pytest

from autograder.errors import AutograderError, StoreError, UsageError
from autograder.interop.exports import sheets
from autograder.interop.exports.sheets import new_sheet, read_sheet, sheet_bytes, with_cells
from tests.support.effort import costs_at_most

TEXT = 'Näme,"a ""b"", c",Grade\r\n"two\nlines", x ,8.5\n,,\r"""q""",é\r\n\r\nend,"","1"'
ENCODINGS = [
    ("utf-8", b""),
    ("utf-8", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
    ("utf-16-le", b""),
    ("utf-16-be", b""),
    ("cp1252", b""),
]


@pytest.mark.parametrize(("encoding", "bom"), ENCODINGS)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_is_not_changed_stays_as_it_was(encoding: str, bom: bytes, delimiter: str) -> None:
    text = TEXT.replace(",", delimiter)
    data = bom + text.encode(encoding)
    sheet = read_sheet(data)
    assert (sheet.encoding, sheet.bom, sheet.delimiter) == (encoding, bom, delimiter)
    assert sheet_bytes(sheet) == data
    assert sheet.row(0) == ["Näme", f'a "b"{delimiter} c', "Grade"]
    assert sheet.value(1, 0) == "two\nlines"
    assert bool(sheet.notes) == (encoding == "cp1252")
    changed = with_cells(sheet, {(1, 2): "9", (5, 1): 'a"b', (2, 0): f"x{delimiter}y"})
    again = read_sheet(sheet_bytes(changed))
    assert (again.value(1, 2), again.value(5, 1)) == ("9", 'a"b')
    assert again.value(2, 0) == f"x{delimiter}y"
    for row, column in ((0, 1), (1, 0), (1, 1), (3, 0), (5, 2)):
        assert again.rows[row][column] == sheet.rows[row][column]
    assert again.ends == sheet.ends


def test_any_text_is_cut_as_csv_cuts_it() -> None:
    chance = random.Random(7)
    kept = 0
    for _ in range(1_500):
        text = "".join(chance.choice('ab,;\t"\n\r é') for _ in range(chance.randrange(1, 24)))
        try:
            sheet = read_sheet(text.encode())
        except StoreError:
            continue
        kept += 1
        assert sheet_bytes(sheet) == text.encode()
        page = io.StringIO(text, newline="")
        expected = [row or [""] for row in csv.reader(page, delimiter=sheet.delimiter)]
        assert [sheet.row(n) for n in range(len(sheet.rows))] == expected
    assert kept > 500


def test_bytes_that_no_encoding_has_stay_and_none_crash() -> None:
    lone = "Name,Grade\nhalf,1\n".encode("utf-16-le").replace(b"h\0", b"\0\xd8")
    chance = random.Random(11)
    some = [chance.randbytes(chance.randrange(60)) for _ in range(500)]
    for data in (b"Name,Grade\nZo\x81\x8d\xe9,\n", b"\xff\xfe" + lone, *some):
        with contextlib.suppress(*([AutograderError] if data in some else [])):
            assert sheet_bytes(read_sheet(data)) == data


def test_what_the_encoding_lacks_is_said() -> None:
    sheet = with_cells(read_sheet("Näme,Note\nx,\n".encode("cp1252")), {(1, 1): "α \ud800"})
    assert sheet_bytes(sheet) == "Näme,Note\nx,? \\ud800\n".encode("cp1252")
    assert "question mark" in sheet.notes[-1]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf\r\n", "empty"),
        (b"PK\x03\x04rest", "XLSX"),
        (b"\xd0\xcf\x11\xe0\xa1", "Excel"),
        (b"\n <html><table>", "web page"),
        (b'a,b\n"never ends,1\n', "row 2"),
        (b"\xff\xfea", "not text"),
        (b"%PDF-1.7", "PDF"),
    ],
)
def test_what_is_no_sheet_is_refused(data: bytes, word: str) -> None:
    with pytest.raises(StoreError, match=word) as refused:
        read_sheet(data, name="down.csv")
    assert "down.csv" in str(refused.value)


@pytest.mark.parametrize("encoding", ["no-such", "base64", "rot13"])
def test_a_named_encoding_is_used_where_it_is_one(encoding: str) -> None:
    with pytest.raises((StoreError, UsageError)):
        read_sheet(b"a,b\n", encoding=encoding)
    sheet = read_sheet("Имя,Оценка\n".encode("cp1251"), encoding="cp1251")
    assert sheet.row(0) == ["Имя", "Оценка"]
    assert sheet_bytes(sheet) == "Имя,Оценка\n".encode("cp1251")


@pytest.mark.parametrize(
    "data", [b"a" + b",1" * 1_000_000, b"a,b\n" * 1_600_000, b"a\r" * 3_000_001]
)
def test_a_sheet_of_too_many_cells_is_refused_before_it_is_cut(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with costs_at_most(1), pytest.raises(StoreError, match="cells"):
        read_sheet(data)
    with costs_at_most(2):
        assert read_sheet(b'a,b\n"' + b'x""y,\n' * 400_000 + b'",1\n').value(1, 1) == "1"
    monkeypatch.setattr(sheets, "MAX_BYTES", 2**20)
    with pytest.raises(StoreError, match="larger than 1 MiB"):
        read_sheet(data)


def test_a_new_sheet_is_quoted() -> None:
    data = new_sheet([["a,b", 'q"', "l\nm", "\r", "\ud800", "x"]])
    assert data == b'"a,b","q""","l\nm","\r",\\ud800,x\r\n'
