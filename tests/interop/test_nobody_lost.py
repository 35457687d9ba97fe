"""Files in are results and stated refusals, whatever they are called; nothing else disappears."""

from __future__ import annotations

import os
import random
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from autograder.classroom.results_folder import ResultsFolder
from autograder.grading.context import FoundSubmission
from autograder.interop import arrivals
from autograder.interop.arrivals import Arrivals, read_arrivals
from autograder.interop.downloads.attempts import chosen
from autograder.interop.downloads.source import list_entries
from autograder.interop.intake import Intake
from autograder.interop.received import IntakeRecord, check_nobody_lost, without_result
from autograder.notebook.students import safe_name
from tests.support.archives import pack
from tests.support.class_of_sixty.klass import tiny
from tests.support.class_of_sixty.layouts import PLATFORMS
from tests.support.class_of_sixty.small import BERLIN, arrived, people

NB = tiny("s", 1)
COMPANION = b"\0\x05\x16\x07" + bytes(40)  # what macOS puts beside a file, as "._name"
CLASSES = 24
_HEADS = ("", ".", "..", "._", ".~", "a_1_2_", "S_1_assignsubmission_file_", "-", "con.", "\u202e")
_STEMS = ["hw", "HW", "0042", "é", "e\u0301", "ﬁ", "x" * 180, "a\nb", "a\x01", "a\u2028b", " "]
_STEMS.append("😀")
_ENDINGS = (".ipynb", ".ipynb", ".IPYNB", ".py", ".md", ".zip", ".pdf", ".ipynb.txt", "", ".")
_FOLDERS = "a A .git .ipynb_checkpoints __MACOSX b.ipynb ..x S_2_assignsubmission_file".split()
_LEADING = ("../", "/", "C:/", "a\\b\\", "./", "//", "d/", "d\\", "__MACOSX/", ".hidden/")
_NOISE = ("__MACOSX", ".ipynb_checkpoints")


class Hostile:
    """A folder of generated files, and how many files were put into it, also in archives."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.draw = random.Random(seed)
        self.folder, self.files = folder, 0
        folder.mkdir()
        for _ in range(12):
            self.put(self.place())

    def name(self) -> str:
        return "".join(self.draw.choice(part) for part in (_HEADS, _STEMS, _ENDINGS))

    def place(self) -> Path:
        folders = self.draw.choices(_FOLDERS, k=self.draw.choice((0, 0, 1, 2)))
        return self.folder.joinpath(*folders, self.name())

    def put(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() or path.is_symlink():
            return
        kind = self.draw.choice(("file", "file", "link", "folder link", "pipe", "companion"))
        if kind == "companion":
            path = path.with_name("._" + path.name)
            if path.exists():
                return
        self.files += 1
        noisy = not set(_NOISE).isdisjoint(path.parts)
        if kind == "link":
            path.symlink_to(self.draw.choice(("/nowhere", "hw.ipynb", "../hw.ipynb")))
        elif kind == "folder link":
            path.symlink_to(self.folder)
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "companion":
            path.write_bytes(COMPANION)
        elif path.suffix == ".zip" and not noisy:
            self.files += max(packed(path, self.draw, self.name), 1) - 1
        else:
            path.write_bytes(NB)


def packed(path: Path, draw: random.Random, name: Callable[[], str]) -> int:
    """An archive of hostile entries; how many files are in it, 0 where it cannot be opened."""
    count = draw.choice((-1, 0, 1, 4, 8))
    if count < 0:
        path.write_bytes(b"PK no archive")
        return 0
    with zipfile.ZipFile(
        path, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    ) as made:
        for _ in range(count):
            whole = "".join(draw.choices(_LEADING, k=draw.choice((0, 0, 1, 2)))) + name()
            info = zipfile.ZipInfo("x")
            info.filename = draw.choice(
                (whole, whole, whole.replace("hw", "h\0w"), whole + "/", "")
            )
            if draw.random() < 0.1:
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            made.writestr(info, NB)
    data = bytearray(path.read_bytes())
    if count and draw.random() < 0.2:  # the first entry is said to be encrypted
        data[data.index(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
    return count


@pytest.mark.parametrize("seed", range(CLASSES))
def test_every_file_is_of_a_hand_in_or_named_or_noise(seed: int, tmp_path: Path) -> None:
    made = Hostile(tmp_path / "class", seed)
    given = [made.folder]
    if made.draw.random() < 0.3:
        made.files += packed(tmp_path / "more.zip", made.draw, made.name) or 1
        given.append(tmp_path / "more.zip")
    for platform in ("auto", "plain", made.draw.choice(PLATFORMS)):
        read = read_arrivals(
            given,
            roster=people("0042", "hw"),
            timezone=BERLIN,
            platform=platform,  # type: ignore[arg-type]
            expected_name="hw",
        )
        assert read.lost == ()
        assert read.count + read.noise == made.files
        names = [safe_name(kept.student).casefold() for kept in chosen(read.arrivals, "best")]
        assert len(set(names)) == len(names)
        assert all(a.found.error or a.found.load() for a in read.arrivals if a.found.member)
        msgspec.json.encode(read.passed)


def test_a_file_that_the_reader_drops_is_announced_and_the_class_keeps_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a_1_2_hw.ipynb", "b_2_3_hw.ipynb", "c_3_4_hw.ipynb"):
        (tmp_path / name).write_bytes(NB)
    monkeypatch.setattr(arrivals, "list_entries", lambda paths: list_entries(paths)[:-1])
    read = arrived(tmp_path)
    assert read.platform == "canvas"
    assert read.lost == (f"{tmp_path.name}/c_3_4_hw.ipynb",)
    space = ResultsFolder(tmp_path / "out")
    for student in ("1", "2"):
        space.result(student).parent.mkdir(parents=True, exist_ok=True)
        space.result(student).write_bytes(b"{}")
    (said,) = check_nobody_lost(taken(read), space)
    assert "c_3_4_hw.ipynb" in said
    assert space.result("1").is_file()
    check_nobody_lost(taken(read), space)
    (line,) = space.intake.read_bytes().splitlines()
    record = msgspec.json.decode(line, type=IntakeRecord)
    assert (record.files, record.students, record.unaccounted) == (3, 2, (said,))


def taken(read: Arrivals) -> Intake:
    hand_ins = tuple(FoundSubmission(arrival.found) for arrival in read.arrivals)
    return Intake(hand_ins, passed=read.passed, lost=read.lost, count=read.count, noise=read.noise)


def test_students_without_a_result_of_their_own_are_named(tmp_path: Path) -> None:
    space = ResultsFolder(tmp_path)
    space.result("a").parent.mkdir()
    space.result("a").write_bytes(b"{}")
    assert without_result(["a"], space) == ()
    assert without_result(["a", "b", "a"], space) == ("'b' submitted but has no result",)
    space.result("A").write_bytes(b"{}")
    assert without_result(["a", "A"], space) == ("'A' submitted but shares a result with 'a'",)


# ---------------------------------------------------------------- what used to disappear


def test_a_link_takes_no_other_students_place_and_no_file_is_too_deep(tmp_path: Path) -> None:
    (tmp_path / "victim.ipynb").write_bytes(NB)
    (tmp_path / "a.ipynb").symlink_to("victim.ipynb")
    (tmp_path / "elsewhere").symlink_to(tmp_path)
    deep = tmp_path.joinpath(*["d"] * 60)
    deep.mkdir(parents=True)
    (deep / "hw.ipynb").write_bytes(NB)
    found = {a.student: a.found.error for a in arrived(tmp_path).arrivals}
    assert found.pop("victim") == ""
    assert all("this is a link" in found.pop(student) for student in ("a", "elsewhere"))
    (error,) = found.values()
    assert "nested more than" in error


def test_archives_that_are_given_are_classes_but_where_the_roster_knows_their_names(
    tmp_path: Path,
) -> None:
    paths = [
        pack(tmp_path / "1.zip", ("a.ipynb", NB), ("b.ipynb", NB)),
        pack(tmp_path / "2.zip", ("c.ipynb", NB), ("d.ipynb", NB)),
    ]
    both = read_arrivals(paths, roster=people("1", "x"), timezone=BERLIN)
    assert [a.student for a in both.arrivals] == ["1", "c", "d"]
    assert not any("as a class" in note for note in both.notes)
    both = read_arrivals(paths, roster=people(), timezone=BERLIN)
    assert len(both.arrivals) == 4
    assert both.notes[0].startswith("1.zip, 2.zip were each read as a whole class")


def test_hidden_files_of_a_plain_class_are_named_and_one_with_nul_is_read(tmp_path: Path) -> None:
    names = (".._hw.ipynb", "._hw.ipynb", "d/.git/x.py", "nul\0.ipynb", "hw.pdf", "a.ipynb")
    noise = [(name, COMPANION) for name in ("__MACOSX/._a.ipynb", "._a.ipynb")]
    path = pack(tmp_path / "class.zip", *((name, NB) for name in names), *noise)
    read = arrived(path)
    assert [(a.student, a.found.error) for a in read.arrivals] == [("a", ""), ("nul\ufffd", "")]
    assert read.arrivals[1].found.load() == NB
    assert read.notes == (
        "skipped, hidden: class.zip/.._hw.ipynb, class.zip/._hw.ipynb, class.zip/d/.git/x.py.",
        "skipped, not named like a submission: class.zip/hw.pdf.",
    )
    assert (read.count, read.noise, read.lost) == (6, 2, ())
