"""Reading hand-ins: whatever the bytes, a Submission or a SubmissionError that helps."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import SubmissionError, UsageError
from autograder.notebook.formats import archive, cells, ipynb
from autograder.notebook.formats.find import find, read_found
from autograder.notebook.formats.read import MAX_BYTES, code_cells, read
from autograder.notebook.students import MAX_NAME, safe_name, student_id
from tests.support.archives import pack
from tests.support.notebook_json import code, notebook, read_data, refusal, sample, sources

# ---------------------------------------------------------------- notebooks that are read


def test_a_plain_notebook_is_read_cell_by_cell_without_repairs() -> None:
    text = {"cell_type": "markdown", "metadata": {"locked": True}, "source": ["# A\n", "b"]}
    submission = read_data(notebook(text, code(["x = 1\n", "y = 2"], exercise="first")))
    assert [(c.number, c.kind, c.source, c.exercise, c.locked) for c in submission.cells] == [
        (1, "markdown", "# A\nb", "", True),
        (2, "code", "x = 1\ny = 2", "first", False),
    ]
    assert submission.repairs == ()
    assert submission.file == "student-01.ipynb"
    assert len(submission.sha256) == 64
    (cell,) = code_cells(submission)
    assert (cell.number, cell.source, cell.exercise) == (2, "x = 1\ny = 2", "first")


def test_the_digest_is_of_the_bytes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "student-01.ipynb"
    path.write_text(json.dumps(notebook(code())))
    spaced = json.dumps(notebook(code()), indent=1)
    assert read(path).sha256 == read_data(path.read_bytes()).sha256
    assert read(path).sha256 != read_data(spaced).sha256


def test_worksheets_of_format_3_are_converted_and_listed_as_a_repair() -> None:
    cells_ = [
        {"cell_type": "heading", "level": 2, "source": ["Title"], "metadata": {}},
        {"cell_type": "code", "language": "python", "input": ["x = 1\n", "y = 2"], "outputs": []},
        {"cell_type": "html", "source": "<b>"},
    ]
    old = {"nbformat": 3, "metadata": {"name": ""}, "worksheets": [{"cells": cells_}, 7]}
    submission = read_data(old)
    assert [c.kind for c in submission.cells] == ["markdown", "code", "markdown"]
    assert submission.cells[1].source == "x = 1\ny = 2"
    assert "old format 3" in submission.repairs[0]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_unicode_encodings_are_read_with_a_repair(encoding: str) -> None:
    data = json.dumps(notebook(code("s = 'é√'")), ensure_ascii=False).encode(encoding)
    submission = read_data(data)
    assert submission.cells[0].source == "s = 'é√'"
    assert len(submission.repairs) == 1


def test_windows_code_page_and_damaged_utf8_are_read_with_a_repair() -> None:
    data = json.dumps(notebook(code("s = 'é’'")), ensure_ascii=False).encode("cp1252")
    assert read_data(data).cells[0].source == "s = 'é’'"
    assert "Windows-1252" in read_data(data).repairs[0]
    data = json.dumps(notebook(code("# äöüäöü√ Z")), ensure_ascii=False).encode()
    damaged = read_data(data.replace(b"Z", b"\xff"))
    assert damaged.cells[0].source == "# äöüäöü√ \ufffd"


def test_line_ends_marks_nul_and_half_characters_are_repaired() -> None:
    submission = read_data(
        notebook(
            code("a = 1\r\nb = 2\r"),
            code("\ufeffc = 3"),
            code("d = '\0'"),
            code("e = '\ud800'"),
            code(["f = '\ud83d", "\ude00'\n"]),
        )
    )
    assert sources(submission) == [
        "a = 1\nb = 2\n",
        "c = 3",
        "d = ''",
        "e = '\ufffd'",
        "f = '😀'\n",
    ]
    assert len(submission.repairs) == 5 - 1  # the last two cells share one sentence
    assert any("Cells 4, 5:" in repair for repair in submission.repairs)


def test_lists_of_lines_without_line_ends_get_them() -> None:
    assert read_data(notebook(code(["a = 1", "b = 2"]))).cells[0].source == "a = 1\nb = 2"
    assert read_data(notebook(code(["a = 1\n", "b = 2"]))).repairs == ()


def test_parts_of_the_wrong_type_are_repaired_and_numbers_stay_those_of_the_notebook() -> None:
    submission = read_data(
        notebook(
            5,
            code(None),
            code([1, "x = 1"]),
            {"cell_type": "slides", "source": "a"},
            {"source": "y = 1"},
            code(metadata=1, exercise=["a"]),
            {"cell_type": "code", "source": "z", "metadata": []},
            code("print(1)", vscode={"languageId": "shellscript"}),
        )
    )
    kinds = [c.kind for c in submission.cells]
    assert kinds == ["raw", "code", "code", "raw", "code", "code", "code", "raw"]
    assert [c.number for c in submission.cells] == list(range(1, 9))
    assert submission.cells[2].source == "x = 1"
    assert submission.cells[5].exercise == ""
    assert len(submission.repairs) == 7


def test_a_tag_that_is_no_id_is_ignored() -> None:
    for tag in ("../../etc", "a" * 65, "", 7, None, "a\n"):
        assert read_data(notebook(code(exercise=tag))).cells[0].exercise == ""


@pytest.mark.parametrize(
    ("metadata", "python"),
    [
        ({}, True),
        ({"kernelspec": {"name": "python3"}}, True),
        ({"kernelspec": {"name": "conda-env-iris-py", "language": "python"}}, True),
        ({"kernelspec": {"name": "irene"}}, True),
        ({"kernelspec": {"name": "ir"}, "language_info": {"name": "python"}}, True),
        ({"kernelspec": {"language": 3, "name": []}, "language_info": "x"}, True),
        ({"kernelspec": {"name": "python3", "language": "ipython"}}, True),
        ({"kernelspec": {"name": "ir"}}, False),
        ({"kernelspec": {"name": "julia-1.9"}}, False),
        ({"kernelspec": {"name": "python3", "language": "R"}}, False),
        ({"language_info": {"name": "julia"}}, False),
        ({"kernelspec": {"language": "\ud800"}}, False),
    ],
)
def test_only_a_python_notebook_is_read(metadata: dict[str, Any], python: bool) -> None:
    made = notebook(code(), **metadata)
    assert read_data(made).cells if python else "Python kernel" in refusal(made)


# ---------------------------------------------------------------- notebooks that are refused


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n\0\0", "empty"),
        (b"[1, 2]", "top level is a list"),
        (b'{"a": 1}', "no list 'cells'"),
        (b'{"cells": 3}', "no list 'cells'"),
        (b'{"cells": []}', "no cells"),
        (b'{"cells": [{"cell_type": "markdown", "source": "a"}]}', "has code"),
        (b"PK\x03\x04...", "zip archive"),
        (b"%PDF-1.7", "PDF"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b'{"cells": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"cells": ' + b"[{" * 1_500_001, "more than 3,000,000 lists"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "not a notebook"),
        (json.dumps(notebook(code())).encode().partition(b"= 1")[0], "is cut off"),
    ],
)
def test_what_is_no_notebook_is_refused_in_words(data: bytes, words: str) -> None:
    assert words in refusal(data)


def test_limits_on_file_cells_and_brackets() -> None:
    assert "larger than 50,000,000 bytes" in refusal(b" " * MAX_BYTES + b"{}")
    assert "5,001 cells" in refusal(notebook(*[code("")] * 5_001))
    assert json.dumps(notebook(*[code()] * 5_000)).count("[") * 100 < ipynb.MAX_BRACKETS
    assert read_data(notebook(*[code("")] * 5_000)).cells


def test_a_long_code_cell_costs_itself_and_a_long_text_cell_is_cut() -> None:
    most = "é" * (cells.MAX_SOURCE // 2)
    text = {"cell_type": "markdown", "source": most * 2}
    submission = read_data(notebook(code(most), code(most + " "), code(), text))
    assert sources(submission) == [most, "", "x = 1\n", most]
    assert submission.repairs[0].startswith("Cell 2: the cell has more than 1,000,000 bytes")


def test_files_that_cannot_be_opened_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.ipynb", tmp_path):
        with pytest.raises(SubmissionError, match="no such file"):
            read(path)


# ---------------------------------------------------------------- percent format


def test_a_percent_script_is_read_cell_by_cell() -> None:
    submission = read_data(sample("percent"), name="student-01.py")
    assert [(c.kind, c.source, c.exercise, c.locked) for c in submission.cells] == [
        ("markdown", "# Größe\ntext", "", True),
        ("code", "%matplotlib inline\n# a comment\nx = 1", "first", False),
        ("code", "%%time\ny = 2", "second", False),
        ("raw", "raw", "", False),
        ("code", "z = 3", "third", False),
    ]
    assert submission.repairs == ()


def test_exported_scripts_and_text_before_the_first_mark_are_read() -> None:
    text = '#!/usr/bin/env python\nimport torch\n# In[3]:\nx = 1\n# %% [md]\n"""\n**b**\n"""\n'
    submission = read_data(text, name="student-01.py")
    assert [(c.kind, c.source) for c in submission.cells] == [
        ("code", "#!/usr/bin/env python\nimport torch"),
        ("code", "x = 1"),
        ("markdown", "**b**"),
    ]


def test_an_open_quote_costs_its_own_cell_only() -> None:
    text = '# %%\nx = """\n# %% exercise="second"\ny = 2\n'
    assert [c.exercise for c in read_data(text, name="student-01.py").cells] == ["", "second"]


# ---------------------------------------------------------------- finding


def write(path: Path, source: str = "x = 1") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook(code(source))))
    return path


def test_a_folder_is_searched_in_order_and_hidden_things_are_passed_over(tmp_path: Path) -> None:
    for name in ("b/student-02.ipynb", "student-01.ipynb", "student-03.ipynb.txt"):
        write(tmp_path / name)
    checkpoint = "b/.ipynb_checkpoints/student-02-checkpoint.ipynb"
    for name in (".hidden.ipynb", "__MACOSX/._a.ipynb", checkpoint, "notes.txt"):
        write(tmp_path / name)
    (tmp_path / "student-04.py").write_text("# %%\nx = 1\n")
    found = find([tmp_path])
    assert [one.student for one in found] == [f"student-0{n}" for n in (2, 1, 3, 4)]
    assert found[0].name == f"{tmp_path.name}/b/student-02.ipynb"
    assert all(read_found(one).cells[0].source.strip() == "x = 1" for one in found)


def test_a_path_given_twice_is_found_once_and_unknown_paths_are_usage_errors(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "student-01.ipynb")
    assert len(find([path, tmp_path, path])) == 1
    with pytest.raises(UsageError, match="no such"):
        find([tmp_path / "gone"])
    (tmp_path / "a.docx").write_text("")
    with pytest.raises(UsageError, match="not a submission"):
        find([tmp_path / "a.docx"])
    (tmp_path / "class.tar.gz").write_bytes(b"\x1f\x8b")
    with pytest.raises(UsageError, match=r"\.zip"):
        find([tmp_path / "class.tar.gz"])


def test_equal_stems_are_both_kept_under_ids_of_their_own(tmp_path: Path) -> None:
    for name in ("a/hw.ipynb", "b/hw.ipynb", "b/HW.py", "c/b/hw.ipynb"):
        write(tmp_path / name)
    found = find([tmp_path])
    assert [one.student for one in found] == ["hw", "HW (b)", "hw-2", "hw-3"]
    (note,) = read_found(found[2]).repairs
    assert "same student id 'hw'" in note and "a/" not in note  # a student reads it
    assert found[0].notes == ()


def test_links_in_a_folder_are_listed_with_an_error_and_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "elsewhere" / "secret.ipynb")
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "student-01.ipynb").symlink_to(secret)
    (folder / "loop").symlink_to(folder)
    found = find([folder])
    assert [one.student for one in found] == ["loop", "student-01"]
    for one in found:
        with pytest.raises(SubmissionError, match="link"):
            one.load()


def test_folders_nested_without_end_are_listed_with_an_error(tmp_path: Path) -> None:
    write(tmp_path / Path(*["d"] * 60) / "student-01.ipynb")
    (one,) = find([tmp_path])
    assert "nested" in one.error


# ---------------------------------------------------------------- archives


BODY = json.dumps(notebook(code())).encode()


def test_hand_ins_are_read_from_an_archive_in_order(tmp_path: Path) -> None:
    path = pack(
        tmp_path / "class.zip",
        ("b/student-02.ipynb", BODY),
        ("a\\student-01.ipynb", BODY),
        ("__MACOSX/b/._student-02.ipynb", b"junk"),
        ("readme.txt", b"hello"),
        ("c/", b""),
    )
    found = find([path])
    assert [one.student for one in found] == ["student-01", "student-02"]
    assert [one.name for one in found] == [
        "class.zip/a/student-01.ipynb",
        "class.zip/b/student-02.ipynb",
    ]
    submission = read_found(found[1])
    assert submission.file == "student-02.ipynb"
    assert submission.sha256 == read_data(BODY).sha256
    (whole,) = find([tmp_path])  # in a folder it is somebody's, whatever the names in it
    assert (whole.student, whole.path, whole.member) == ("class", path, None)


def error_of(path: Path, *, load: bool = False) -> str:
    (one,) = find([path])
    if load:
        assert one.error == ""
    with pytest.raises(SubmissionError) as bad:
        one.load()
    assert path.name in str(bad.value)
    return str(bad.value)


def test_links_escapes_and_unusual_packing_are_refused_entry_by_entry(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("student-01.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "is a link" in error_of(pack(tmp_path / "a.zip", (link, b"/etc/passwd")))
    for name in ("../student-01.ipynb", "/etc/student-01.ipynb", "a/../../b.ipynb", "C:/b.ipynb"):
        assert "points outside" in error_of(pack(tmp_path / "b.zip", (name, BODY)))
    packed = zipfile.ZipInfo("student-01.ipynb")
    packed.compress_type = zipfile.ZIP_LZMA
    assert "unsupported compression" in error_of(pack(tmp_path / "c.zip", (packed, BODY)))
    assert "archive inside an archive" in error_of(pack(tmp_path / "d.zip", ("inner.zip", b"PK")))


def test_an_encrypted_entry_and_a_wrong_checksum_are_refused(tmp_path: Path) -> None:
    for at, word in ((8, "is encrypted"), (16, "damaged")):
        path = pack(tmp_path / "a.zip", ("student-01.ipynb", BODY))
        data = bytearray(path.read_bytes())
        data[data.index(b"PK\x01\x02") + at] ^= 1
        path.write_bytes(data)
        assert word in error_of(path, load=word == "damaged")


def test_bombs_are_refused_by_what_they_declare(tmp_path: Path) -> None:
    bomb = pack(tmp_path / "a.zip", ("student-01.ipynb", b" " * 12_000_000))
    assert "times its packed size" in error_of(bomb)
    big = pack(tmp_path / "b.zip", ("student-01.ipynb", b" " * (MAX_BYTES + 1)))
    assert "unpacks to 50,000,001 bytes" in error_of(big)


def test_an_archive_that_changes_after_it_was_listed_is_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("student-01.ipynb", BODY))
    (one,) = find([path])
    pack(path, ("student-02.ipynb", BODY))
    with pytest.raises(SubmissionError, match="has changed"):
        one.load()
    pack(path, ("student-01.ipynb", b" " * 12_000_000))
    with pytest.raises(SubmissionError, match="has changed"):
        one.load()
    pack(path, ("student-01.ipynb", BODY))
    assert one.load() == BODY
    data = bytearray(path.read_bytes())
    assert one.member is not None
    data[one.member.record + 24 : one.member.record + 28] = (12_000_000).to_bytes(4, "little")
    path.write_bytes(data)  # what it unpacks to, as the list has it
    with pytest.raises(SubmissionError, match="times its packed size"):
        one.load()


def test_totals_and_counts_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pack(tmp_path / "a.zip", *[(f"s-{n}.ipynb", BODY) for n in range(5)])
    monkeypatch.setattr(archive, "MAX_TOTAL", len(BODY) * 4)
    assert "unpack to" in error_of(path)
    monkeypatch.setattr(archive, "MAX_TOTAL", len(BODY) * 5)
    assert len(find([path])) == 5
    monkeypatch.setattr(archive, "MAX_ENTRIES", 4)
    assert "5 entries" in error_of(path)
    monkeypatch.setattr(archive, "MAX_DIRECTORY", 100)
    assert "list of entries" in error_of(path)


def test_zip64_and_files_that_are_no_archive_are_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("student-01.ipynb", BODY))
    data = path.read_bytes()
    end = data.rindex(b"PK\x05\x06")
    path.write_bytes(data[:end] + b"PK\x06\x07" + bytes(16) + data[end:])
    assert "zip64" in error_of(path)
    for junk in (b"", b"PK", b"hello" * 100, data[:-30]):
        path.write_bytes(junk)
        assert "cannot be read" in error_of(path)


# ---------------------------------------------------------------- names of students


UNSAFE = "../a a/b a\\b a_b/ .hidden -rf con NUL.txt COM1 . .. a. a?b a#b ~".split()
UNSAFE += ["a ", "a\nb", "a\0b", "", "\ud800", "a\u202eb", "a~0123456789"]


def test_unsafe_names_are_mended_and_never_meet() -> None:
    for name in ("student-01", "Łódź Übung", "a.b (c)", "x@y.org", "陳"):
        assert safe_name(name) == name
    bad = [*UNSAFE, "x" * 300, "x" * 301, "é" * 100]
    made = [safe_name(name) for name in bad]
    assert len({name.casefold() for name in made}) == len(bad)
    for name, original in zip(made, bad, strict=True):
        assert name != original
        assert len(name.encode()) <= MAX_NAME
        assert not set(name) & set("/\\:*?\"<>|\0\n%#&'`$")
        assert name[0] not in ".-" and name[-1] not in ". "
        assert name.partition(".")[0].casefold() not in {"con", "nul", "com1"}


def test_student_ids_hold_no_control_characters() -> None:
    assert student_id("a\n\u202eb\ud800") == "ab\ufffd"
    assert student_id("\0") == "unnamed"
    assert student_id("e\u0301") == "é"
