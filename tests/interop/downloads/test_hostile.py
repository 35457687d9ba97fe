"""Damaged and hostile downloads: everybody is listed, nothing is executed, little is read."""

from __future__ import annotations

import os
import random
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.errors import SubmissionError, UsageError
from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.interop.arrivals import read_arrivals
from autograder.interop.downloads import metadata
from autograder.interop.downloads.metadata import read_metadata
from autograder.notebook.formats import archive
from tests.support.archives import pack
from tests.support.class_of_sixty.klass import ZONE, klass, tiny
from tests.support.class_of_sixty.layouts import PLATFORMS, lay_out
from tests.support.class_of_sixty.small import arrived
from tests.support.effort import costs_at_most

NB = tiny("s", 1)


# ---------------------------------------------------------------- archives and folders


def test_entries_that_are_refused_are_their_students_arrivals(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("b_2_20_hw.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    members = {
        "": ("a_1_10_hw.ipynb", NB),
        "a link": (link, b"/etc/passwd"),
        "points outside": ("../../c_3_30_hw.ipynb", NB),
        "packed size": ("d_4_40_hw.ipynb", b" " * 12_000_000),
        "too long": ("e_5_50_" + "x" * 300 + ".ipynb", NB),
        "cannot be read": ("f_6_60_hw.zip", b"PK"),
    }
    read = arrived(pack(tmp_path / "c.zip", *members.values()))
    assert read.platform == "canvas"
    errors = {a.student: a.found.error for a in read.arrivals}
    assert sorted(errors) == ["1", "2", "3", "4", "5", "6"]
    for student, words in enumerate(members, 1):
        assert words in errors[str(student)]
        assert bool(words) == bool(errors[str(student)])
    assert not list(tmp_path.rglob("*hw*"))


def test_other_archives_in_an_archive_are_refused_and_nobody_is_lost(tmp_path: Path) -> None:
    refusals: dict[tuple[str, ...], str] = {
        ("hw.ipynb", "other.ipynb"): "holds one notebook",
        ("hw.ipynb", "more.zip"): "holds one notebook",
        ("report.pdf",): "holds one notebook",
        (): "no files",
        ("../hw.ipynb",): "points outside",
        ("damaged",): "cannot be read",
    }
    for held, says in refusals.items():
        content = pack(tmp_path / "all.zip", *[(name, NB) for name in held]).read_bytes()
        content = content[:-9] + b"x" * 9 if held == ("damaged",) else content
        outer = pack(tmp_path / "c.zip", ("a_1_10_hw.zip", content), ("b_2_20_hw.ipynb", NB))
        first, second = arrived(outer).arrivals
        assert says in first.found.error and "c.zip/a_1_10_hw.zip" in first.found.error
        assert (second.found.error, second.found.load()) == ("", NB)


def test_archives_in_an_archive_are_told_apart(tmp_path: Path) -> None:
    """Each holds one file, which is the first of its own archive."""
    held = [pack(tmp_path / f"{n}.zip", ("hw.ipynb", NB + b" " * n)).read_bytes() for n in range(3)]
    outer = pack(tmp_path / "c.zip", *[(f"a_{n}_1{n}_hw.zip", held[n - 1]) for n in (1, 2, 3)])
    found = [arrival.found for arrival in arrived(outer).arrivals]
    assert [one.load() for one in found] == [NB + b" " * n for n in range(3)]
    assert [one.name for one in found] == [f"c.zip/a_{n}_1{n}_hw.zip/hw.ipynb" for n in (1, 2, 3)]


def test_a_refused_archive_is_an_arrival(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pack(tmp_path / "c.zip", *[(f"n{n}_1{n}_2{n}_hw.ipynb", NB) for n in range(5)])
    good = pack(tmp_path / "d.zip", ("a_1_10_hw.ipynb", NB))
    monkeypatch.setattr(archive, "MAX_ENTRIES", 4)
    both = read_arrivals([path, good], roster=NO_ROSTER, timezone=ZONE)
    assert [(a.student, "5 entries" in a.found.error) for a in both.arrivals] == [
        ("1", False),
        ("c", True),
    ]
    monkeypatch.setattr(archive, "MAX_ENTRIES", 10)
    monkeypatch.setattr(archive, "MAX_TOTAL", len(NB))
    assert "unpack to" in arrived(path).arrivals[0].found.error
    path.write_bytes(b"PK junk")
    assert "cannot be read" in arrived(path).arrivals[0].found.error


def test_a_pipe_in_a_folder_is_listed(tmp_path: Path) -> None:
    own = tmp_path / "d" / "S_2_assignsubmission_file"
    own.mkdir(parents=True)
    os.mkfifo(own / "hw.ipynb")
    (arrival,) = arrived(tmp_path / "d").arrivals
    assert "not a regular file" in arrival.found.error


def test_a_pipe_named_as_anything_a_reader_opens_is_never_opened(tmp_path: Path) -> None:
    names = "a/__zip_filename__ a/x.zip b/x.md submission_metadata.yml"
    for name in (*names.split(), "submitted/s/ps/timestamp.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(tmp_path / name)
    (tmp_path / "submitted/s/ps/hw.ipynb").write_bytes(NB)
    for platform in PLATFORMS:
        read_arrivals([tmp_path], roster=NO_ROSTER, timezone=ZONE, platform=platform)  # type: ignore[arg-type]


def test_names_that_a_tool_wrote_as_utf8_without_saying_so_are_mended(tmp_path: Path) -> None:
    path = pack(tmp_path / "c.zip", ("Ünï Ñandú_12_assignsubmission_file/hw.ipynb", NB))
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset + 1] &= ~0x08 & 0xFF  # the flag that says UTF-8
    path.write_bytes(data)
    (arrival,) = arrived(path, Roster((Person("7", "ñandú, ünï"),))).arrivals
    assert (arrival.student, arrival.place) == ("7", "Ünï Ñandú_12_assignsubmission_file")
    assert arrival.found.load() == NB


@pytest.mark.parametrize("platform", PLATFORMS)
def test_damaged_downloads_raise_nothing_but_usage_errors(platform: str, tmp_path: Path) -> None:
    small = klass()
    (path, *_), _ = lay_out(small, platform, tmp_path, zipped=True)
    roster = Roster(tuple(Person(student.id, student.name) for student in small.students))
    target = sorted(path.glob("*.zip"))[0] if path.is_dir() else path
    data = target.read_bytes()
    draw = random.Random(7)
    for _ in range(4):
        changed = bytearray(data)
        for _ in range(20):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        target.write_bytes(changed[: draw.choice((len(changed), len(changed) // 2))])
        for arrival in arrived(target, roster).arrivals:
            try:
                arrival.found.load()
            except SubmissionError as bad:
                assert str(bad)


def test_hostile_names_are_read_in_linear_time(tmp_path: Path) -> None:
    digits, words = "1" * 60_000, "_a" * 30_000
    names = [
        f"1-2 - a - {digits} - x/h.ipynb",
        f"{words}_1_assignsubmission_/h.ipynb",
        f"{words}_attempt_2026-10-10-10-10-10",
        f"{'_1' * 30_000}.ipynb",
        f"x_2026_{'1_' * 30_000}.zip",
        f"{'+1' * 30_000}/h.ipynb",
    ]
    with costs_at_most(5):
        for name in names:
            arrived(pack(tmp_path / "c.zip", (name, NB)), Roster((Person("1", "x " * 1000),)))


# ---------------------------------------------------------------- Gradescope's YAML


def refused(data: bytes) -> str:
    with pytest.raises(SubmissionError) as bad:
        read_metadata(data, "m.yml")
    assert str(bad.value).startswith("m.yml")
    return str(bad.value)


def test_aliases_are_refused_before_they_grow() -> None:
    laughs = ["a: &a [lol]"]
    laughs += [f"{n}: &{n} [{', '.join([f'*{chr(ord(n) - 1)}'] * 9)}]" for n in "bcdefghij"]
    with costs_at_most(1):
        assert "aliases" in refused("\n".join(laughs).encode())
        assert "aliases" in refused(b"a: &x\n  <<: *x\n")


def test_sizes_counts_and_depth_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "nested" in refused(b"a: " + b"[" * 500 + b"]" * 500)
    assert refused(b"a: " + b"[" * 200_000)
    assert refused(b"a: " + b"- " * 100_000)
    monkeypatch.setattr(metadata, "MAX_EVENTS", 100)
    assert "more than 100 parts" in refused(b"a: [" + b"1," * 200 + b"]")
    monkeypatch.setattr(metadata, "MAX_YAML", 10)
    assert "larger than 10 bytes" in refused(b"a: 123456789")


def test_nothing_is_constructed_and_all_is_text() -> None:
    text = (
        b"a: !!python/object/apply:os.system ['exit 1']\nb: 0123\nc: yes\nd: 2026-01-01\n"
        b"e: ~\nf: '~'\ng: !ruby/object:X {x: 1}\n:results: [1, {a: [2]}]\nh: null\n? [1]\n: 2\n"
    )
    found = read_metadata(text, "m.yml")
    assert [found.pop(key) for key in "aegh"] == [["exit 1"], None, {"x": "1"}, None]
    assert found == {"b": "0123", "c": "yes", "d": "2026-01-01", "f": "~", "": "2"}


def test_what_is_no_list_of_submissions_is_refused() -> None:
    for data in (b"", b"- 1", b"text", b"a: [", b"a: 1\na: 2", b"\0", b"a: \x01", b"--- \n..."):
        assert refused(data)


def test_a_large_class_is_read_quickly(tmp_path: Path) -> None:
    yaml = "".join(
        f"submission_{n}:\n  :submitters:\n  - {{':sid': '{n}', ':name': S {n}, ':email': e{n}}}\n"
        f"  :results:\n    output: {'x' * 1000}\n"
        for n in range(700)
    )
    members = [(f"assignment_1_export/submission_{n}/hw.ipynb", NB) for n in range(700)]
    path = pack(
        tmp_path / "c.zip", ("assignment_1_export/submission_metadata.yml", yaml.encode()), *members
    )
    roster = Roster(tuple(Person(str(n), f"S {n}") for n in range(700)))
    with costs_at_most(5):
        read = arrived(path, roster)
        assert len({a.student for a in read.arrivals}) == 700 and not read.notes


def test_names_on_disk_that_are_no_unicode(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff_1_2_hw.ipynb")).write_bytes(NB)
    (arrival,) = arrived(tmp_path).arrivals
    assert (arrival.student, arrival.found.load()) == ("1", NB)
    arrival.place.encode()
    with pytest.raises(UsageError, match="no such file"):
        arrived(tmp_path / "gone\udcff")
