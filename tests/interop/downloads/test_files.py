"""Plain files, which of several files is the hand-in, and whose download it is."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.interop.arrivals import read_arrivals
from autograder.notebook.formats.find import find
from tests.support.class_of_sixty.small import (
    BERLIN,
    LARGER,
    NB,
    arrived,
    one,
    pack,
    people,
    students,
    write,
)

# ---------------------------------------------------------------- plain


def test_plain_is_what_find_finds(tmp_path: Path) -> None:
    write(tmp_path, "a/hw.ipynb", "b/hw.ipynb", "b/HW.py", "x.pdf", "s.ipynb")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "s.ipynb")
    for paths in ([tmp_path], [tmp_path / "s.ipynb", tmp_path / "a"]):
        for roster in (NO_ROSTER, people("nobody", "else")):
            read = read_arrivals(paths, roster=roster, timezone=BERLIN)
            assert read.platform == "plain"
            assert [a.found for a in read.arrivals] == find(paths)
    with pytest.raises(UsageError, match="no such"):
        arrived(tmp_path / "gone")
    with pytest.raises(UsageError, match="not a submission"):
        arrived(tmp_path / "x.pdf")


def test_equal_stems_are_one_student_only_for_find_and_cases_only_for_a_roster(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a/hw.ipynb", "b/HW.py", "c/hw.ipynb")
    assert students(tmp_path, people("hw")) == ["hw", "HW (b)", "hw (c)"]
    assert students(tmp_path, people("hw", "HW")) == ["hw", "HW", "hw (c)"]
    (note, *_) = arrived(tmp_path, people("hw")).notes
    assert note.startswith(f"{tmp_path.name}/b/HW.py and 1 more: another file has this name")
    (tmp_path / "a/hw.ipynb").unlink()
    assert students(tmp_path, people("hw", "x")) == ["hw", "hw (c)"]


def test_stems_are_looked_up_by_id_key_and_email(tmp_path: Path) -> None:
    write(tmp_path, "0042.ipynb", "login.ipynb", "c@x.example.ipynb", "Student D.ipynb", "42.ipynb")
    keyed = (Person("b", keys={"username": "LOGIN"}), Person("c", email="C@x.example"))
    read = arrived(tmp_path, Roster((Person("0042"), *keyed, Person("d", "D, Student"))))
    assert [a.student for a in read.arrivals] == ["0042", "42", "d", "c", "b"]
    assert read.notes == (
        "42 is not in the roster: the roster has '0042'; did a spreadsheet drop the leading "
        "zeros?; listed as '42'.",
    )


@pytest.mark.parametrize("zipped", [False, True])
def test_a_folder_for_each_student_that_the_roster_knows(tmp_path: Path, zipped: bool) -> None:
    names = ("0042/hw.ipynb", "b/deep/hw.ipynb", "b/report.pdf", "c/report.pdf", "guest/hw.ipynb")
    path = pack(tmp_path / "k.zip", *names) if zipped else write(tmp_path / "k", *names)
    read = arrived(path, people("0042", "b", "c"))
    assert [a.student for a in read.arrivals] == ["0042", "b", "c", "guest"]
    assert [a.found.error[:21] for a in read.arrivals] == ["", "", "submitted report.pdf,", ""]
    assert students(path) == ["hw", "hw (deep)", "hw (guest)"]


# ---------------------------------------------------------------- which file, and what else


def test_of_several_notebooks_the_one_that_looks_most_like_a_hand_in(tmp_path: Path) -> None:
    place = "S_1_assignsubmission_file"
    write(tmp_path / place, "scratch.ipynb", "Home work (1).ipynb", "utils.py", "a.pdf")
    (tmp_path / place / "scratch.ipynb").write_bytes(LARGER)
    assert one(arrived(tmp_path)).found.name.endswith("scratch.ipynb")
    found = one(arrived(tmp_path, expected_name="home_work.ipynb")).found
    assert found.name.endswith("Home work (1).ipynb")
    assert found.notes == (
        "a.pdf, scratch.ipynb, utils.py were also submitted; Home work (1).ipynb is graded.",
    )


def test_what_a_platform_puts_before_a_name_does_not_hide_the_expected_one(tmp_path: Path) -> None:
    heads = ("s_1_{}_", "S_1_assignsubmission_file_", "1-2 - S - Oct 10, 2025 1022 AM - ")
    heads += ("hw_u_attempt_2026-10-10-10-10-10_",)
    for number, head in enumerate(heads):
        folder = tmp_path / str(number)
        write(folder, f"{head.format(5)}my_hw.ipynb", f"{head.format(6)}a.ipynb")
        (folder / f"{head.format(6)}a.ipynb").write_bytes(LARGER)
        found = one(arrived(folder, expected_name="my_hw")).found
        assert found.name.endswith("my_hw.ipynb")
        assert found.notes == ("a.ipynb was also submitted; my_hw.ipynb is graded.",)


def test_an_archive_for_each_student_that_the_roster_knows(tmp_path: Path) -> None:
    for name in ("0042", "b", "guest"):
        pack(tmp_path / f"{name}.zip", "hw.ipynb", "deep/large.py")
    read = arrived(tmp_path, people("0042", "b"))
    assert [a.student for a in read.arrivals] == ["0042", "b", "guest"]
    note = "large.py was also submitted; hw.ipynb is graded."
    assert [(a.found.error, a.found.notes) for a in read.arrivals] == [("", (note,))] * 3


def test_an_archive_that_a_student_handed_in_is_looked_into(tmp_path: Path) -> None:
    place = "S_1_assignsubmission_file"
    (tmp_path / "d" / place).mkdir(parents=True)
    inner = pack(tmp_path / "d" / place / "all.zip", "deep/hw.ipynb", "__MACOSX/deep/._hw.ipynb")
    arrival = one(arrived(tmp_path / "d"))
    assert (arrival.found.load(), arrival.found.notes) == (NB, ())
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as outer:
        outer.write(inner, f"{place}/all.zip")
    arrival = one(arrived(tmp_path / "c.zip"))
    assert (arrival.found.load(), arrival.found.notes, arrival.found.error) == (NB, (), "")


def test_files_outside_the_pattern_are_listed_or_named(tmp_path: Path) -> None:
    write(tmp_path, "a_1_2_hw.ipynb", "b_2_3_hw.ipynb", "c_3_4_hw.ipynb", "0042.ipynb", "read.me")
    read = arrived(tmp_path, people("0042"))
    assert [a.student for a in read.arrivals] == ["1", "2", "3", "0042"]
    assert "0042.ipynb does not follow" in read.notes[0]
    assert "read.me" in read.notes[1]


def test_one_students_file_cannot_make_the_download_anothers(tmp_path: Path) -> None:
    names = [f"n{n}_10{n}_20{n}_hw.ipynb" for n in range(1, 4)]
    evil = "evil_199_299_x_assignsubmission_y evil_198_298_x_attempt_2026-10-10-10-10-10_x"
    write(tmp_path, *names, *(f"{name}.ipynb" for name in evil.split()))
    read = arrived(tmp_path)
    assert read.platform == "canvas"
    assert sorted(a.student for a in read.arrivals) == ["101", "102", "103", "198", "199"]


def test_wrappers_around_a_download_and_the_platform_by_name(tmp_path: Path) -> None:
    write(tmp_path, "my downloads/week 1/S_12_assignsubmission_file/hw.ipynb")
    assert one(arrived(tmp_path)).student == "12"
    deep = tmp_path / "my downloads/week 1/S_12_assignsubmission_file"
    assert one(arrived(deep)).student == "12"
    assert arrived(tmp_path, platform="plain").platform == "plain"
    assert one(arrived(tmp_path, platform="canvas")).student == "hw"
    with pytest.raises(UsageError, match="use auto, blackboard"):
        arrived(tmp_path, platform="webct")
