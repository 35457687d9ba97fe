"""Whose the submissions are that match nobody in the roster: asked on a sheet, and answered."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.gradebook.people import Person, Roster
from autograder.interop.arrivals import read_arrivals
from autograder.interop.downloads.unmatched import (
    UnmatchedFile,
    read_matches,
    said_of,
    unmatched_sheet,
    write_unmatched,
)
from tests.support.class_of_sixty.small import BERLIN, people, write
from tests.support.in_process import command, done
from tests.support.tiny_course import notebook, scores, write_assignment

TWICE = Roster((Person("0041", "A Namesake"), Person("0042", "Namesake, A"), Person("0043", "B")))
PLACES = (
    "101-678 - A Namesake - Oct 20, 2026 301 PM",
    "102-678 - A Namesake - Oct 20, 2026 302 PM",
)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as sheet:
        return [*csv.DictReader(sheet)]


def fill(path: Path, **students: str) -> None:
    """Fill in students by the end of the file's name."""
    every = rows(path)
    for row in every:
        row["student"] = next((s for end, s in students.items() if end in row["file"]), "")
    with path.open("w", encoding="utf-8", newline="") as sheet:
        made = csv.DictWriter(sheet, every[0])
        made.writeheader()
        made.writerows(every)


def test_two_of_one_name_are_asked_about_with_who_may_be_meant(tmp_path: Path) -> None:
    write(
        tmp_path,
        *(f"{place}/hw.ipynb" for place in PLACES),
        "103-678 - B - Oct 20, 2026 303 PM/hw.ipynb",
    )
    read = read_arrivals([tmp_path], roster=TWICE, timezone=BERLIN, platform="brightspace")
    (tmp_path / "sheet.csv").write_text(unmatched_sheet(read.unmatched, TWICE))
    asked = rows(tmp_path / "sheet.csv")
    assert [place in row["file"] for place, row in zip(PLACES, asked, strict=True)] == [True, True]
    assert all("0041" in row["perhaps"] and "0042" in row["perhaps"] for row in asked)
    assert all("2 people in the roster" in row["why"] and not row["student"] for row in asked)

    whose = {asked[0]["file"]: ("0042",), asked[1]["file"]: ("0041",)}
    read = read_arrivals(
        [tmp_path], roster=TWICE, timezone=BERLIN, platform="brightspace", whose=whose
    )
    assert {a.found.name: a.student for a in read.arrivals} == {
        asked[0]["file"]: "0042",
        asked[1]["file"]: "0041",
        next(a.found.name for a in read.arrivals if a.student == "0043"): "0043",
    }
    assert [one.students for one in read.unmatched] == [("0042",), ("0041",)]
    assert not any("roster" in note for note in read.notes)


def test_a_person_says_whose_a_file_is_only_where_the_roster_does_not(tmp_path: Path) -> None:
    write(tmp_path, "0041.ipynb", "nobody.ipynb")
    whose = {"0041.ipynb": ("0043",), "nobody.ipynb": ("0042", "0043"), "gone.ipynb": ("0041",)}
    files = {path.name: str(path) for path in tmp_path.iterdir()}
    read = read_arrivals([tmp_path], roster=TWICE, timezone=BERLIN)
    names = {Path(a.found.name).name: a.found.name for a in read.arrivals}
    assert set(names) == set(files)
    said = {names.get(file, file): students for file, students in whose.items()}
    read = read_arrivals([tmp_path], roster=TWICE, timezone=BERLIN, whose=said)
    found = sorted((Path(a.found.name).name, a.student) for a in read.arrivals)
    assert found == [("0041.ipynb", "0041"), ("nobody.ipynb", "0042"), ("nobody.ipynb", "0043")]
    assert [note for note in read.notes if "gone.ipynb" in note]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file,who\na,0041\n", "no column 'student'"),
        ("file,student\na,0041\nb,41\n", "row 3: '41' is not the id of a student in the roster"),
        ("file,student\na,0041\na,0042\n", "row 3: 'a' is also in an earlier row"),
        ("file,student\n,0041\n", "row 2: the name of the file is missing"),
    ],
)
def test_a_sheet_that_cannot_be_used_is_refused_with_its_row(
    text: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "unmatched.csv").write_text(text)
    with pytest.raises(UsageError, match=r"unmatched\.csv") as bad:
        read_matches(tmp_path / "unmatched.csv", TWICE)
    assert said in str(bad.value)


def test_what_a_person_has_filled_in_is_not_written_over(tmp_path: Path) -> None:
    path, found = (
        tmp_path / "unmatched.csv",
        [UnmatchedFile("a", "a", "", ""), UnmatchedFile("b", "b", "", "")],
    )
    assert write_unmatched(path, found, TWICE, {})
    assert write_unmatched(path, found, TWICE, {})
    path.write_text("file,student\na,0041; 0043\nb,\n")
    assert not write_unmatched(path, found, TWICE, {})
    whose = read_matches(path, TWICE)
    assert whose == {"a": ("0041", "0043")}
    told = [UnmatchedFile("a", "a", "", "", whose["a"]), found[1]]
    assert write_unmatched(path, told, TWICE, whose)
    assert read_matches(path, TWICE) == whose, "what was filled in is in the new sheet too"


@pytest.mark.usefixtures("lent_box")
def test_the_command_asks_and_grades_under_the_names_that_are_filled_in(tmp_path: Path) -> None:
    folder = write_assignment(tmp_path)
    (tmp_path / "in").mkdir()
    for name in ("0001", "laptop", "desktop"):
        (tmp_path / "in" / f"{name}.ipynb").write_text(notebook("x = 1"))
    (tmp_path / "roster.csv").write_text("id,name\n0001,A\n0002,B\n0003,C\n")
    out = tmp_path / "out"
    grade = ("grade", folder, tmp_path / "in", "--roster", tmp_path / "roster.csv", "--out", out)
    said = done(*grade).err
    assert "2 submissions of nobody in the roster" in said and "--match" in said
    sheet = out / "unmatched.csv"
    assert set(scores(out)) == {"0001", "0002", "0003", "laptop", "desktop"}
    fill(sheet, laptop="0002")
    for _ in range(2):  # the sheet that it writes has what was filled in
        assert "1 submission of nobody" in done(*grade, "--match", sheet).err
        assert set(scores(out)) == {"0001", "0002", "0003", "desktop"}
    assert "laptop" not in done("regrade", out, "--yes").out
    assert set(scores(out)) == {"0001", "0002", "0003", "desktop"}
    shown = done("gradebook", "show", out).out
    assert "laptop" not in shown and "0003" in shown
    # who submitted nothing is in the gradebook too, with what was decided
    done("gradebook", "override", out, "0003", "1", "--why", "oral exam")
    assert scores(out)["0003"] == 1
    shown = done("show", out, "0003").out
    assert "oral exam" in shown
    fill(sheet, laptop="2")
    refused = command(*grade, "--match", sheet)
    assert refused.code == 2 and "'2' is not the id of a student" in refused.err


def test_no_name_is_a_formula_and_all_are_found_again(tmp_path: Path) -> None:
    names = ("=1+1", "+a", "-b", "@c", "d; =e", "f")
    roster = people("0001", "-2", "=3")
    write(tmp_path / "in", *(f"{name}.ipynb" for name in names))
    read = read_arrivals([tmp_path / "in"], roster=roster, timezone=BERLIN)
    assert len(read.unmatched) == len(names)
    found = [UnmatchedFile(name, name, name, name, ("-2", "=3")) for name in names]
    for several in (read.unmatched, found):
        path = tmp_path / f"{len(several[0].students)}.csv"
        path.write_text(unmatched_sheet(several, roster))
        for row in rows(path):
            for cell in filter(None, row.values()):
                assert not cell.startswith(("=", "+", "-", "@")) and "; =" not in cell
    whose = read_matches(tmp_path / "2.csv", roster)
    assert [said_of(name, whose) for name in names] == [("-2", "=3")] * len(names)
    fill(tmp_path / "0.csv", ipynb="=3")
    said = read_matches(tmp_path / "0.csv", roster)
    read = read_arrivals([tmp_path / "in"], roster=roster, timezone=BERLIN, whose=said)
    assert {arrival.student for arrival in read.arrivals} == {"=3"}
    assert not any("list of matches" in note for note in read.notes)


def test_people_are_named_by_words_among_others_and_in_any_order() -> None:
    found = [UnmatchedFile("x", "ann-lee", "Lee, Ann", "")]
    people = (Person("1", "Ann Lee"), Person("2", "Ann"), Person("3", email="ann-lee@x.example"))
    assert "1 (Ann Lee); 3," in unmatched_sheet(found, Roster(people))
    assert unmatched_sheet([], Roster(people)).count("\n") == 1
    names = ("student-01", ""), ("student-02", ""), ("7", "Zoé Anna Lee"), ("8", "Cy")
    roster = Roster(tuple(Person(id_, name) for id_, name in names))
    for file, perhaps in (
        ("student-01 homework final.ipynb", "student-01"),
        ("lee_zoe-anna_hw1.ipynb", "7 (Zoé Anna Lee)"),
        ("Lee Zoe.ipynb", ""),
        ("homework.ipynb", ""),
    ):
        sheet = unmatched_sheet([UnmatchedFile(file, Path(file).stem, "", "")], roster)
        (row,) = csv.DictReader(io.StringIO(sheet))
        assert row["perhaps"] == perhaps
