"""What is peculiar to each platform's download."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.gradebook.people import Person, Roster
from tests.support.class_of_sixty.small import NB, arrived, one, pack, students, write

# ---------------------------------------------------------------- Canvas


def test_canvas_names_with_every_oddity(tmp_path: Path) -> None:
    names = """last_first_1001_2001_hw.ipynb name_LATE_1002_2002_1_2_hw.ipynb _1003_2003_hw.ipynb
        007_1004_2004_hw.ipynb name_1005_text.html name_LATE_1006_link.html anon_aB3x_2007_hw.ipynb
        LATE_anon_cD4y_text.html groß_1008_2008_hw_1.ipynb"""
    write(tmp_path, *names.split())
    read = arrived(tmp_path)
    assert read.platform == "canvas"
    got = {a.student: a for a in read.arrivals}
    expected = "1001 1002 1003 1004 1005 1006 1008 anon_aB3x anon_cD4y"
    assert sorted(got) == expected.split()
    assert {s for s, a in got.items() if a.late} == {"1002", "1006", "anon_cD4y"}
    assert "typed in online, not a notebook" in got["1005"].found.error
    assert "a link, not a notebook" in got["1006"].found.error
    assert got["1005"].place == "name_1005_text.html"
    assert got["1002"].place == "name_LATE_1002_2002_1_2_hw.ipynb"
    assert all(a.submitted_at is None for a in read.arrivals)


def test_canvas_uploads_again_are_attempts_in_the_order_of_attachments(tmp_path: Path) -> None:
    write(tmp_path, "a_1_9_hw-1.ipynb", "a_1_5_hw.ipynb", "a_1_20_hw-2.ipynb", "a_1_21_data.csv")
    read = arrived(tmp_path)
    places = {a.attempt: a.place for a in read.arrivals}
    assert places == {1: "a_1_5_hw.ipynb", 2: "a_1_9_hw-1.ipynb", 3: "a_1_20_hw-2.ipynb"}
    both = write(tmp_path / "b", "a_1_5_hw-1.ipynb", "a_1_6_hw-2.ipynb")
    assert len(arrived(both).arrivals) == 2
    assert one(arrived(both, expected_name="hw-1")).place == "a_1_5_hw-1.ipynb"


def test_a_canvas_group_is_each_of_its_members(tmp_path: Path) -> None:
    people = [
        Person(str(n), f"S {n}", section=f"Team {n % 2}", keys={"canvas_id": f"100{n}"})
        for n in range(4)
    ]
    write(tmp_path, "team0_1002_2001_hw.ipynb", "s1_1001_2002_hw.ipynb")
    places = [(a.student, a.place[:5]) for a in arrived(tmp_path, Roster(tuple(people))).arrivals]
    assert places == [("1", "s1_10"), ("0", "team0"), ("2", "team0")]


def test_dates_in_names_are_not_taken_for_canvas_numbers(tmp_path: Path) -> None:
    for number, names in enumerate(
        (
            ("a_2024_10_hw.ipynb", "b_2024_10_hw.ipynb"),
            ("a_2024_09_hw.ipynb", "b_2024_09_hx.ipynb"),
            ("student_01.ipynb", "student_02.ipynb"),
        )
    ):
        read = arrived(write(tmp_path / str(number), *names))
        assert read.platform == "plain"
        assert len({a.student for a in read.arrivals}) == 2


# ---------------------------------------------------------------- Moodle


def test_moodle_folders_flat_names_teams_and_online_texts(tmp_path: Path) -> None:
    write(
        tmp_path / "folders",
        "Student A_12_assignsubmission_file/sub/hw.ipynb",
        "Student B_13_assignsubmission_file_/hw.ipynb",
        "Student C_14_assignsubmission_onlinetext/onlinetext.html",
        "Student D_15_assignsubmission_file/report.pdf",
        "Student D_15_assignsubmission_onlinetext/onlinetext.html",
        "Default group_assignsubmission_file/hw.ipynb",
        "Student A_12_assignfeedback_file/old.html",
    )
    read = arrived(tmp_path / "folders")
    got = {a.student: a for a in read.arrivals}
    assert read.platform == "moodle"
    assert sorted(got) == ["12", "13", "14", "15", "Default group"]
    assert got["13"].place == "Student B_13_assignsubmission_file_"
    assert "typed in online" in got["14"].found.error
    assert got["15"].place == "Student D_15_assignsubmission_file"
    assert "report.pdf, not a notebook" in got["15"].found.error
    assert any("is feedback" in note for note in read.notes)
    odd = write(tmp_path / "odd", "S_1_assignsubmission_onlinetext/hw.ipynb")
    assert one(arrived(odd)).found.load() == NB
    flat = write(tmp_path / "flat", "Student A_12_assignsubmission_file_my_hw.ipynb")
    only = one(arrived(flat))
    assert (only.student, only.place) == ("12", "Student A_12_assignsubmission_file_my_hw.ipynb")


def test_a_moodle_team_is_each_of_its_members_not_who_has_its_number(tmp_path: Path) -> None:
    people = [
        Person(id_, f"Student {id_}", section=f"Group {group}", keys={"moodle_id": number})
        for id_, group, number in (("1", 1, "7"), ("2", 2, "8"), ("3", 2, "9"))
    ]
    write(tmp_path, "Group 2_7_assignsubmission_file/hw.ipynb")
    assert students(tmp_path, Roster(tuple(people))) == ["2", "3"]


def test_moodle_names_lose_signs_and_are_then_nobodys_alone(tmp_path: Path) -> None:
    write(
        tmp_path, "OApos_1_assignsubmission_file/hw.ipynb", "Ada X_2_assignsubmission_file/h.ipynb"
    )
    roster = Roster((Person("a", "O'Apos"), Person("b", "OApos"), Person("c", "ADA  x")))
    read = arrived(tmp_path, roster)
    assert [a.student for a in read.arrivals] == ["c", "1"]
    assert "2 people in the roster may have the name 'OApos'" in read.notes[0]


SHEET = (
    "Bezeichner;Name;Status;Zuletzt geändert (Abgabe);Zuletzt geändert (Bewertung)\n"
    'Teilnehmer/in12;A;x;"Sonntag, 25. Oktober 2026, 02:30";-\n'
    "Teilnehmer/in13;B;x;gestern;-\nTeilnehmer/in14;C;x;-;-\n"
)


def test_moodle_times_stand_in_a_worksheet_in_any_language(tmp_path: Path) -> None:
    names = [f"S_{n}_assignsubmission_file/hw.ipynb" for n in (12, 13, 14)]
    path = pack(tmp_path / "class.zip", *names)
    assert {a.submitted_at for a in arrived(path).arrivals} == {None}
    (tmp_path / "Grades-c-hw-1.csv").write_text(SHEET)
    read = arrived(path)
    assert {a.student: a.submitted_at for a in read.arrivals} == {
        "12": datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        "13": None,
        "14": None,
    }
    assert read.notes == (
        "Grades-c-hw-1.csv, row 3: the time 'gestern' cannot be read and is ignored.",
    )
    (tmp_path / "Grades-c-hw-1.csv").write_bytes(b"PK\x03\x04")
    assert "workbook" in arrived(path).notes[0]


# ---------------------------------------------------------------- Gradescope


def export(folder: Path, yaml: str, *names: str) -> Path:
    write(folder, *(f"assignment_1_export/{name}" for name in names))
    (folder / "assignment_1_export").mkdir(parents=True, exist_ok=True)
    (folder / "assignment_1_export" / "submission_metadata.yml").write_text(yaml)
    return folder


GROUP = """---
submission_1:
  :submitters:
  - :name: Student A
    :sid: 0042
    :email: a@x.example
  - {":name": Student B, ":sid": , ":email": b@x.example}
  :created_at: 2026-10-25 01:30:00.250
  :history:
  - :id: 7
    :submitters: []
    :created_at: 2026-10-24 23:00:00 -0200
  - :id: 8
    :created_at: 2026-10-20 10:00:00
submission_2:
  :submitters:
  - {":name": Student C, ":sid": '7', ":email": c@x.example}
"""


def test_gradescope_groups_history_and_missing_files(tmp_path: Path) -> None:
    export(tmp_path, GROUP, *(f"submission_{n}/hw.ipynb" for n in (1, 8, 9)))
    read = arrived(tmp_path)
    assert read.platform == "gradescope"
    found = [f"{a.student} {a.place} {a.attempt}" for a in read.arrivals]
    assert found[:4] == [
        f"{student} submission_{place} {attempt}"
        for place, attempt in ((8, 1), (1, 3))
        for student in ("0042", "b@x.example")
    ]
    assert found[4:] == ["7 submission_2 1", "submission_9 submission_9 1"]
    assert read.arrivals[2].submitted_at == datetime(2026, 10, 25, 1, 30, 0, 250_000, tzinfo=UTC)
    assert "no file" in read.arrivals[4].found.error


def test_gradescope_without_readable_metadata_still_lists_every_folder(tmp_path: Path) -> None:
    names = ("submission_1/hw.ipynb", "submission_2/hw.ipynb")
    for yaml in ("", "- 1", "a: [", "a: &x 1\nb: *x\n", "{" * 100_000, "a: 1\na: 2\n", "\0\1"):
        read = arrived(export(tmp_path, yaml, *names))
        assert [a.student for a in read.arrivals] == ["submission_1", "submission_2"]
        assert read.platform == "gradescope"
        assert "listed by their folders" in read.notes[0], yaml[:10]


def test_a_file_that_a_student_calls_metadata_changes_nothing(tmp_path: Path) -> None:
    yaml = "submission_1:\n  :submitters:\n  - :sid: '1'\nsubmission_2:\n  :submitters: []\n"
    export(tmp_path, yaml, "submission_1/hw.ipynb", "submission_2/hw.ipynb")
    planted = tmp_path / "assignment_1_export/submission_2/submission_metadata.yml"
    planted.write_text("hw.ipynb:\n  :submitters:\n  - :sid: '1'\n")
    assert students(tmp_path) == ["1", "submission_2"]


# ---------------------------------------------------------------- Blackboard


def test_blackboard_attempts_notes_and_words_of_other_languages(tmp_path: Path) -> None:
    head = "Homework_1_user_1"
    write(
        tmp_path,
        f"{head}_attempt_2026-10-24-10-00-00_hw.ipynb",
        f"{head}_attempt_2026-10-24-10-00-00.txt",
        f"{head}_poging_2026-10-24-12-00-00_my_hw.ipynb",
        f"{head}_attempt_2026-10-24-11-00-00_notes.txt",
        f"{head}_attempt_2026-10-24-13-00-00.txt",
    )
    roster = Roster((Person("0001", keys={"username": "user_1"}), Person("1")))
    read = arrived(tmp_path, roster)
    assert read.platform == "blackboard"
    got = sorted(read.arrivals, key=lambda a: a.attempt)
    assert [(a.student, a.attempt) for a in got] == [("0001", n) for n in (1, 2, 3, 4)]
    assert [bool(a.found.error) for a in got] == [False, True, False, True]
    assert got[0].submitted_at == datetime(2026, 10, 24, 8, tzinfo=UTC)
    assert "no file, only text" in got[3].found.error


def test_two_blackboard_users_never_become_one(tmp_path: Path) -> None:
    names = [
        f"hw_{user}_attempt_2026-10-24-10-00-0{n}_hw.ipynb"
        for n, user in enumerate(("a_x", "b_x", "c"))
    ]
    write(tmp_path, *names)
    assert students(tmp_path) == ["a_x", "b_x", "c"]
    known = Roster((Person("1", keys={"username": "c"}), Person("2", keys={"username": "x"})))
    assert students(tmp_path, known) == ["a_x", "b_x", "1"]


# ---------------------------------------------------------------- Brightspace


def test_brightspace_folders_flat_names_and_names_that_two_have(tmp_path: Path) -> None:
    day = "Oct 10, 2025 1022 AM"
    write(
        tmp_path,
        f"1-2 - #0042 - Student A - {day}/hw.ipynb",
        f"1-2 - Student B - {day}/hw.ipynb",
        "1-2 - Student B - Oct 11, 2025 1205 AM/hw.ipynb",
        "1-2 - Twin - Oct 12, 2025 1000 AM/h.py",
        f"3-4 - Twin - {day}/hw.ipynb",
        f"1-2 - Student C - {day} - my - hw.ipynb",
        "index.html",
        "1-2 - Student D - 10 xyz. 2025 10 22/hw.ipynb",
    )
    named = (("b", "B, Student"), ("t1", "Twin"), ("t2", "Twin"), ("c", "Student C"))
    people = [Person("x", keys={"org_defined_id": "0042"}), *(Person(*one) for one in named)]
    read = arrived(tmp_path, Roster(tuple(people)))
    assert read.platform == "brightspace"
    found = sorted(f"{a.student} {a.attempt}" for a in read.arrivals)
    assert found == ["Student D 1", "Twin 1", "Twin-2 1", "b 1", "b 2", "c 1", "x 1"]
    by = {a.place: a for a in read.arrivals}
    times = {place: a.submitted_at for place, a in by.items()}
    first = datetime(2025, 10, 10, 8, 22, tzinfo=UTC)
    assert times[f"1-2 - #0042 - Student A - {day}"] == first
    second = datetime(2025, 10, 10, 22, 5, tzinfo=UTC)
    assert times["1-2 - Student B - Oct 11, 2025 1205 AM"] == second
    assert any("cannot be read" in note for note in read.notes)
    assert sum("2 people in the roster" in note for note in read.notes) == 2
    assert {*students(tmp_path)} >= {"Twin", "Twin-2", "0042"}
    dashed = [f"1-2 - Same Start - {name} - {day}/hw.ipynb" for name in "AB"]
    assert students(write(tmp_path / "d", *dashed)) == ["Same Start - A", "Same Start - B"]


# ---------------------------------------------------------------- nbgrader and otter


def test_nbgrader_folders_of_one_assignment(tmp_path: Path) -> None:
    names = "submitted/0042/ps1 submitted/0042/ps2 source/ps1 release/ps1 autograded/0042/ps1"
    notebooks = [f"{name}/hw.ipynb" for name in names.split()]
    course = write(tmp_path / "course", *notebooks, "submitted/b/ps1/notes.pdf")
    stamp = course / "submitted/0042/ps1/timestamp.txt"
    stamp.write_text("2026-10-25 03:30:00.5 CEST-ish\n")
    with pytest.raises(UsageError, match="several assignments"):
        arrived(course)
    read = arrived(course, expected_name="PS 1")
    assert read.platform == "nbgrader"
    assert [(a.student, a.place, a.submitted_at) for a in read.arrivals] == [
        ("0042", "0042/ps1", None),
        ("b", "b/ps1", None),
    ]
    assert "ps2" in read.notes[1] and "cannot be read" in read.notes[0]
    stamp.write_text("2026-10-25 03:30:00")
    assert arrived(course / "submitted", expected_name="ps1").arrivals[0].submitted_at == datetime(
        2026, 10, 25, 3, 30, tzinfo=UTC
    )


def test_the_exchange_of_nbgrader_holds_every_attempt(tmp_path: Path) -> None:
    start = "inbound/s+1+ps1+2026-10-25 0"
    write(tmp_path, *(f"{start}{n}:00:00.000000 UTC+abc/hw.ipynb" for n in (3, 1)))
    read = arrived(tmp_path)
    assert read.platform == "nbgrader"
    hours = [(a.student, a.attempt, a.submitted_at.hour) for a in read.arrivals if a.submitted_at]
    assert sorted(hours) == [("s+1", 1, 1), ("s+1", 2, 3)]


def test_exports_of_otter_are_whose_name_they_or_their_folder_have(tmp_path: Path) -> None:
    made = "hw_2026_10_24T10_00_00_123456"
    names = ("class/s1.zip", f"class/s2/{made}.zip", f"class/{made}.zip")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            file.writestr("__zip_filename__", f"{made}.zip")
            file.writestr("hw.ipynb", NB)
            file.writestr("hw.pdf", b"%PDF")
    read = arrived(tmp_path / "class")
    assert read.platform == "otter"
    assert {a.student for a in read.arrivals} == {"s1", "s2", made}
    assert {a.submitted_at for a in read.arrivals} == {
        datetime(2026, 10, 24, 8, 0, 0, 123_456, tzinfo=UTC)
    }
    assert all(a.found.load() == NB and not a.found.notes for a in read.arrivals)
    assert one(arrived(tmp_path / names[0])).student == "s1"
