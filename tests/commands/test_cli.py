"""The command line on a tiny class: files, exit statuses, resuming, judging again, our faults."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from rich.console import Console

from autograder import cli
from autograder.classroom import boxes
from autograder.commands import show
from autograder.errors import SandboxError
from autograder.evidence.records import Run
from autograder.interop.downloads import plain
from autograder.notebook.formats.find import find
from autograder.sandbox import driver, lazy
from autograder.sandbox.box import BoxIsolation
from autograder.wire.messages import Job
from tests.support.in_process import Lent, Ran, command, done
from tests.support.tiny_course import (
    DOUBLES,
    MISTAKE,
    SQUARES,
    SUMS,
    edit,
    notebook,
    scores,
    write_assignment,
    write_class,
)

pytestmark = pytest.mark.usefixtures("lent_box")

ROOT = Path(__file__).resolve().parents[2]
SEED = "20170612"


# ---------------------------------------------------------------- an assignment and a class


def version_3(*sources: str) -> str:
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "metadata": {}, "input": source, "language": "python", "outputs": []}
        for source in sources
    ]
    sheets = [{"cells": cells, "metadata": {}}]
    return json.dumps({"metadata": {}, "nbformat": 3, "nbformat_minor": 0, "worksheets": sheets})


JULIA = {"metadata": {"kernelspec": {"name": "julia-1.10", "language": "julia"}}}
HAND_INS = {
    "student-01.ipynb": notebook(SUMS, DOUBLES),
    "student-02.ipynb": notebook(SUMS, SQUARES),
    "student-03.ipynb": notebook("total = 0.3004", DOUBLES),
    "student-04.ipynb": '{"cells": [{"cell_type": "code", "sour',
    "student-05.ipynb": version_3(f"{SUMS} # as of 2014", DOUBLES),
    "student-06.ipynb": notebook(cells=[]),
    "student-07.ipynb": notebook(SUMS, DOUBLES, **JULIA),
    "student-08.py": f"# %% one\n{SUMS}\n# %% two\n{DOUBLES}\n# %% three\n1 / 0\n",
    "together/student-01.ipynb": notebook(SUMS, "def double(n):\n    raise KeyError(n)"),
}
SAID = re.compile(r"note: (?:.*/)?together/student-01\.ipynb: another file has this name, .*\n")
ZIPPED = {"late/student-09.ipynb": notebook("total = 0", DOUBLES)}
EXPLAINING = 6  # runs that explain: small calls and edits of two students, mutants of two exercises
SCORES: dict[str, float | str] = {
    "student-01": 6,
    "student-01 (together)": 2,
    "student-02": 3,
    "student-03": 4,
    "student-04": "",
    "student-05": 6,
    "student-06": "",
    "student-07": "",
    "student-08": 6,
    "student-09": 4,
}


# ---------------------------------------------------------------- running the command


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any start of a box, and so any run of student code, is an error of the grader."""

    def refuse(**options: object) -> None:
        raise SandboxError("a box was started")

    monkeypatch.setattr(boxes, "Box", refuse)


@dataclass(frozen=True)
class Class:
    """A graded class: where everything is, and what the command said."""

    assignment: Path
    paths: tuple[Path, ...]
    out: Path
    ran: Ran

    def arguments(self, out: Path | None = None) -> tuple[object, ...]:
        return ("grade", self.assignment, *self.paths, "--out", out or self.out, "--seed", SEED)

    def result(self, student: str) -> Any:
        return json.loads((self.out / "results" / f"{student}.json").read_bytes())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, lent_box: Lent) -> Class:
    """The class, graded once. Tests that change something take a copy."""
    root = tmp_path_factory.mktemp("course")
    assignment = write_assignment(root)
    folder = write_class(root / "class", HAND_INS)
    late = root / "late.zip"
    with zipfile.ZipFile(late, "w") as archive:
        for name, text in ZIPPED.items():
            archive.writestr(name, text)
    made = Class(assignment, (folder, late), root / "out", Ran(0, "", ""))
    ran = command(*made.arguments())
    return Class(made.assignment, made.paths, made.out, ran)


@pytest.fixture
def copy(whole: Class, tmp_path: Path) -> Class:
    """The graded class with its assignment, free to be changed."""
    shutil.copytree(whole.assignment.parent.parent, tmp_path / "course")
    root = tmp_path / "course"
    run_file = root / "out" / "run.json"
    moved = run_file.read_text().replace(str(whole.assignment), str(root / "assignments" / "tiny"))
    run_file.write_text(moved)
    paths = (root / "class", root / "late.zip")
    return Class(root / "assignments" / "tiny", paths, root / "out", whole.ran)


def evidence_times(out: Path) -> dict[str, int]:
    return {p.name: p.stat().st_mtime_ns for p in (out / "evidence").rglob("*.evidence")}


# ---------------------------------------------------------------- grade


def test_a_class_is_graded_and_the_command_says_where_everything_is(whole: Class) -> None:
    assert whole.ran.code == 0 and SAID.fullmatch(whole.ran.notes)
    assert "student-01 (together)" in whole.ran.out
    for place in ("gradebook.csv", "feedback", "results"):
        assert str(whole.out / place) in whole.ran.out
    assert scores(whole.out) == SCORES


def test_every_file_is_there_and_nothing_else(whole: Class) -> None:
    names = {path.name for path in whole.out.iterdir()} - {"grades.db-wal", "grades.db-shm"}
    assert names == {
        ".lock",
        "evidence",
        "feedback",
        "grades.db",
        "gradebook.csv",
        "intake.jsonl",
        "metrics.prom",
        "remembered.db",
        "results",
        "run.json",
        "submissions",
        "summary.json",
    }
    for folder, suffix in (("results", ".json"), ("feedback", ".html")):
        assert {path.name for path in (whole.out / folder).iterdir()} == {
            f"{student}{suffix}" for student in SCORES
        }
    assert list(whole.out.rglob("*.tmp")) == []
    # solution, mistake, and each that can be read
    assert len(evidence_times(whole.out)) == 2 + 7 + EXPLAINING
    summary = json.loads((whole.out / "summary.json").read_bytes())
    assert summary["status"] == {"graded": 7, "rejected": 3, "ungraded": 0}


def test_a_result_has_every_key_of_its_format(whole: Class) -> None:
    result = whole.result("student-02")
    assert set(result) >= {
        "format",
        "assignment",
        "student",
        "submission",
        "status",
        "score",
        "max_score",
        "exercises",
        "isolation",
        "timing",
        "versions",
    }
    assert (result["format"], result["assignment"]) == ("autograder-result/1", "tiny")
    assert (result["status"], result["score"], result["max_score"]) == ("graded", 3, 6)
    assert set(result["submission"]) == {"file", "sha256", "repairs"}
    assert len(result["submission"]["sha256"]) == 64
    assert set(result["isolation"]) == {"level", "layers"}
    assert set(result["timing"]) == {
        "queued",
        "run",
        "judged",
        "peak_mb",
        "fork",
        "cells",
        "calls",
        "transit",
        "store",
    }
    assert set(result["versions"]) >= {"python", "torch", "numpy"}
    assert [e["id"] for e in result["exercises"]] == ["sums", "doubles"]
    for exercise in result["exercises"]:
        assert set(exercise) >= {"id", "title", "status", "score", "max_score", "checks"}
        for check in exercise["checks"]:
            assert set(check) >= {
                "id",
                "kind",
                "public",
                "status",
                "score",
                "max_score",
                "message",
                "diagnosis",
                "numbers",
            }


def test_a_notebook_for_another_assignment_is_announced_everywhere(tmp_path: Path) -> None:
    other = json.loads(notebook("print('hello')"))
    other["cells"][0]["metadata"] = {}
    other["metadata"]["autograder"] = {"assignment": "other", "version": "0123456789ab"}
    hand_ins = {
        "student-01.ipynb": notebook(SUMS, DOUBLES),
        "student-02.ipynb": json.dumps(other),
        "student-03.ipynb": notebook("", ""),
    }
    paths = (write_class(tmp_path / "class", hand_ins),)
    made = Class(write_assignment(tmp_path), paths, tmp_path / "out", Ran(0, "", ""))
    ran = command(*made.arguments())
    told = "holds no cell of the assignment 'tiny'; is it for another assignment?"
    assert ran.code == 0 and told in " ".join(ran.out.split())
    assert ran.notes == "note: no cell of this assignment is in what these submitted: student-02\n"
    result = made.result("student-02")
    assert told in result["reason"]
    assert "is stamped for the assignment 'other'" in result["submission"]["repairs"][0]
    assert (result["status"], result["score"]) == ("graded", 0)
    assert "another assignment" in (made.out / "gradebook.csv").read_text()
    pages = {s: (made.out / "feedback" / f"{s}.html").read_text() for s in scores(made.out)}
    assert [student for student, page in pages.items() if "another assignment" in page] == [
        "student-02"
    ]
    assert "holds no cell" in command("show", made.out, "student-02").out


def test_what_is_passed_over_is_named_and_kept_and_what_is_lost_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_ins = {"a.ipynb": notebook(SUMS, DOUBLES), "z.ipynb": notebook(SUMS, DOUBLES)}
    noise = {".DS_Store": "", ".z.ipynb": "{}", "b.pdf": "%PDF"}
    made = Class(
        write_assignment(tmp_path),
        (write_class(tmp_path / "class", hand_ins | noise),),
        tmp_path / "out",
        Ran(0, "", ""),
    )
    ran = command(*made.arguments())
    assert ran.code == 0
    for said in (
        "hidden: class/.z.ipynb",
        "not named like a submission: class/b.pdf",
        "also skipped: 1 file of operating systems and editors.\n",
    ):
        assert said in ran.err
    (line,) = (made.out / "intake.jsonl").read_text().splitlines()
    record = json.loads(line)
    assert [one["file"] for one in record["passed_over"]] == ["class/.z.ipynb", "class/b.pdf"]
    assert (record["files"], record["noise"], record["unaccounted"]) == (4, 1, [])
    monkeypatch.setattr(plain, "find", lambda paths: find(paths)[:-1])
    ran = command(*made.arguments())
    assert ran.code == 1 and "NOT ACCOUNTED FOR: the file class/z.ipynb" in ran.err
    assert scores(made.out) == {"a": 6, "z": 6}
    assert len((made.out / "intake.jsonl").read_text().splitlines()) == 2


def test_a_known_mistake_is_named_and_a_hidden_check_stays_hidden(whole: Class) -> None:
    checks = whole.result("student-02")["exercises"][1]["checks"]
    assert [c["status"] for c in checks] == ["passed", "failed"]
    assert checks[1]["diagnosis"].startswith("You multiply the number by itself")
    page = (whole.out / "feedback" / "student-02.html").read_text()
    assert "You multiply the number by itself" in page and "Try larger numbers." not in page
    asked = json.loads(checks[1]["message"].split("double(")[1].split(")")[0])
    for hidden in (str(asked), str(2 * asked), "a title that nobody shall see", "kept-back"):
        assert hidden not in page


REASONS = {
    "student-04": ("student-04.ipynb", "line 1"),
    "student-06": ("student-06.ipynb", "no cells"),
    "student-07": ("student-07.ipynb", "julia"),
}


@pytest.mark.parametrize("student", REASONS)
def test_a_file_that_cannot_be_graded_is_rejected_with_its_place(
    whole: Class, student: str
) -> None:
    result = whole.result(student)
    assert (result["status"], result["score"]) == ("rejected", None)
    assert all(word in result["reason"] for word in REASONS[student])
    row = next(r for r in (whole.out / "gradebook.csv").read_text().splitlines() if student in r)
    assert ",rejected,,6," in row
    assert REASONS[student][0] in (whole.out / "feedback" / f"{student}.html").read_text()


def test_notebooks_of_version_3_scripts_and_zipped_ones_are_read(whole: Class) -> None:
    assert any("3" in r for r in whole.result("student-05")["submission"]["repairs"])
    assert whole.result("student-08")["score"] == 6  # 1 / 0 in a cell of its own costs nothing
    assert whole.result("student-09")["submission"]["file"].endswith("late/student-09.ipynb")


def test_two_files_of_one_stem_are_two_students(whole: Class) -> None:
    other = whole.result("student-01 (together)")
    assert other["submission"]["file"] == "class/together/student-01.ipynb"
    assert "same student id" in other["submission"]["repairs"][0]
    assert other["exercises"][1]["status"] == "raised"
    assert "KeyError" in other["exercises"][1]["checks"][0]["message"]


# ---------------------------------------------------------------- grade again, regrade


def source_of(job: Job) -> str:
    return "\n".join(cell.source for cell in job.cells)


def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources of all jobs that are run from now on."""
    ran: list[str] = []

    def act(job: Job, box: Any, **_: object) -> Run:
        ran.append(source_of(job))
        return driver.run(job, box)

    monkeypatch.setattr(lazy, "run", act)
    return ran


@pytest.mark.usefixtures("nothing_runs")
def test_a_second_grade_runs_nothing_and_gives_the_same_bytes(copy: Class) -> None:
    before, times = (copy.out / "gradebook.csv").read_bytes(), evidence_times(copy.out)
    ran = command("grade", copy.assignment, *copy.paths, "--out", copy.out)
    assert ran.code == 0 and SAID.fullmatch(ran.notes)
    assert (copy.out / "gradebook.csv").read_bytes() == before
    assert evidence_times(copy.out) == times
    assert "graded, all from earlier runs\n" in ran.out and "run now" in copy.ran.out


def test_only_what_changed_is_run_again(copy: Class) -> None:
    times = evidence_times(copy.out)
    write_class(copy.paths[0], {"student-03.ipynb": notebook(SUMS, DOUBLES + " + 0")})
    ran = command(*copy.arguments())
    assert ran.code == 0 and SAID.fullmatch(ran.notes)
    assert "of them from earlier runs of the same code, 1 run now\n" in ran.out
    later = evidence_times(copy.out)
    assert {name: later[name] for name in times} == times and len(later) == len(times) + 1
    assert scores(copy.out) == SCORES | {"student-03": 6}


@pytest.mark.usefixtures("nothing_runs")
def test_regrade_with_nothing_changed_changes_nothing(copy: Class) -> None:
    before = (copy.out / "gradebook.csv").read_bytes()
    shutil.rmtree(copy.paths[0])  # the hand-ins themselves are not needed
    ran = command("regrade", copy.out, "--yes")
    assert (ran.code, ran.notes) == (0, "") and "Nobody's score has changed." in ran.out
    assert (copy.out / "gradebook.csv").read_bytes() == before


def test_a_regrade_of_notebooks_that_were_mended_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One was run in a second order, one without an import that was put back, one is blank below
    its answers: the same runs are found again, and the same is said."""
    assignment = write_assignment(tmp_path)
    given = "# %% locked=true\nimport math\n\n"
    edit(assignment / "solution.py", '# %% exercise="sums"', f'{given}# %% exercise="sums"')
    lacking = "total = math.fsum([0.1, 0.2])"
    blank = "def double(n):\n    raise NotImplementedError"
    hand_ins = {
        "student-01.py": f'# %%\nimport math\n# %% exercise="sums"\ntotal = part + 0.2\n'
        f'# %% exercise="doubles"\n{DOUBLES}\n# %%\npart = 0.1\n',
        "student-02.ipynb": notebook(lacking, DOUBLES),
        "student-03.py": f"# %%\nimport math\n# %%\n{SUMS}\n# %%\n{DOUBLES}\n# %%\n{blank}\n",
    }
    folder, out = write_class(tmp_path / "class", hand_ins), tmp_path / "out"
    assert command("grade", assignment, folder, "--out", out).code == 0
    assert scores(out) == dict.fromkeys(("student-01", "student-02", "student-03"), 6)
    told = [json.loads(path.read_bytes())["submission"]["repairs"] for path in results(out)]
    assert ["run again" in str(said) for said in told] == [True, False, False]
    assert ["was restored" in str(said) for said in told] == [False, True, False]
    assert ["left blank" in str(said) for said in told] == [False, False, True]
    before = {path: unmeasured(path) for path in results(out)}
    shutil.rmtree(folder)
    monkeypatch.setattr(lazy, "run", None)
    assert "Nobody's score has changed." in command("regrade", out, "--yes").out
    assert {path: unmeasured(path) for path in results(out)} == before


def results(out: Path) -> list[Path]:
    return sorted((out / "results").glob("*.json"))


def unmeasured(path: Path) -> bytes:
    """A result file without the times that grading took."""
    result = json.loads(path.read_bytes())
    del result["timing"]
    return json.dumps(result).encode()


JUDGED_ANEW: dict[str, tuple[str, str, dict[str, float | str]]] = {
    "a tolerance": ("rtol = 1e-6", "rtol = 1e-2", {"student-03": 6}),
    "points": (
        "points = 3",
        "points = 4.5",
        {
            "student-01": 7.5,
            "student-03": 5.5,
            "student-05": 7.5,
            "student-08": 7.5,
            "student-09": 5.5,
        },
    ),
    "a hint": ("Try larger numbers.", "Try much larger numbers.", {}),
}


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize("what", JUDGED_ANEW)
def test_regrade_judges_anew_without_student_code_and_shows_who_moves(
    copy: Class, what: str
) -> None:
    old, new, moved = JUDGED_ANEW[what]
    edit(copy.assignment / "assignment.toml", old, new)
    ran = command("regrade", copy.out, "--yes")
    assert (ran.code, ran.notes) == (0, "")
    assert scores(copy.out) == SCORES | moved
    changes = ran.out.split("Gradebook")[0].split("\nstudent ")[0]
    for student in SCORES:
        assert (
            student in [line.split("│")[1].strip() for line in changes.splitlines() if "│" in line]
        ) is (student in moved)
    assert ("Nobody's score" in ran.out) is (not moved)
    hint = new if what == "a hint" else "Try larger numbers."
    assert hint in (copy.out / "feedback" / "student-01 (together).html").read_text()


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_regrade_that_moves_somebody_writes_nothing_unasked(
    copy: Class, flags: tuple[str, ...]
) -> None:
    old, new, moved = next(one for one in JUDGED_ANEW.values() if one[2])
    edit(copy.assignment / "assignment.toml", old, new)
    files = [path for path in copy.out.rglob("*") if path.suffix in (".csv", ".html", ".json")]
    before = {path: path.read_bytes() for path in files}
    ran = command("regrade", copy.out, *flags)
    assert ran.code == 1 and "--yes" in ran.err
    assert next(iter(moved)) in (ran.err if flags else ran.out)
    assert {path: path.read_bytes() for path in files} == before
    assert scores(copy.out) == SCORES


def test_regrade_with_a_new_mistake_names_it_and_runs_no_hand_in(
    copy: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "# doubles: raises\n# You raise a KeyError.\ndef double(n):\n    raise KeyError(n)\n"
    (copy.assignment / "mistakes" / "raises.py").write_text(told)
    ran = watched(monkeypatch)
    assert command("regrade", copy.out, "--yes").code == 0
    assert len(ran) == 1 and "raise KeyError(n)" in ran[0]
    checks = copy.result("student-01 (together)")["exercises"][1]["checks"]
    assert {c["diagnosis"] for c in checks} == {"You raise a KeyError."}


def test_regrade_with_other_inputs_is_refused_and_says_what_to_do(copy: Class) -> None:
    before = (copy.out / "gradebook.csv").read_bytes()
    edit(copy.assignment / "inputs.py", "10**9", "10**8")
    ran = command("regrade", copy.out, "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert "run `autograder grade` again with the same --out" in ran.err
    assert (copy.out / "gradebook.csv").read_bytes() == before
    assert copy.result("student-01")["score"] == 6
    assert command("grade", copy.assignment, *copy.paths, "--out", copy.out).code == 0
    assert scores(copy.out) == SCORES


# ---------------------------------------------------------------- wrong commands, wrong files


def refused(ran: Ran, *words: str) -> bool:
    assert (ran.code, ran.out) == (2, "") and "Traceback" not in ran.err
    assert all(word in ran.err for word in words), ran.err
    return True


@pytest.mark.usefixtures("nothing_runs")
def test_a_command_that_makes_no_sense_ends_with_status_2(copy: Class, tmp_path: Path) -> None:
    empty, text, out = tmp_path / "empty", tmp_path / "notes.txt", tmp_path / "new"
    empty.mkdir()
    text.write_text("")
    some = copy.paths[0]
    assert refused(command("grade", "nowhere", some, "--out", out), "'nowhere'", "ids")
    assert refused(command("grade", copy.assignment, empty, "--out", out), "no notebook (.ipynb")
    assert refused(command("grade", copy.assignment, empty / "a", "--out", out), "no such file")
    assert refused(command("grade", copy.assignment, text, "--out", out), "pass .ipynb, .py")
    assert refused(command("show", out), "no class has been graded", "autograder grade")
    (tmp_path / "out/first").mkdir(parents=True)
    (tmp_path / "out/first/run.json").write_text("{}")
    with contextlib.chdir(tmp_path):
        assert refused(command("show", "first"), "do you mean out/first?")
    assert refused(command("regrade", out, "--yes"), "no class has been graded")
    assert refused(command("show", copy.out, "student-99"), "no student 'student-99'", "student-01")
    for option, value, said in (
        ("--require", "foo", "Invalid value for '--require': 'foo' is not one of 'strong'"),
        ("--workers", "0", "'--workers': write a number of at least 1, not '0'"),
        ("--workers", "few", "'--workers': write a whole number here, not 'few'"),
        ("--seed", "-1", "'--seed': write a whole number from 0 to 2^63 - 1"),
        ("--seed", str(2**63), "'--seed': write a whole number from 0 to 2^63 - 1"),
    ):
        assert refused(command(*copy.arguments(out), option, value), said)
    edit(copy.assignment / "assignment.toml", 'id = "tiny"', 'id = "other"')
    assert refused(command(*copy.arguments()), "contains results of 'tiny'", "another --out")
    assert not out.exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--workers", "0"],
        ["--seed", "-1"],
        ["--seed", str(10**30)],
        ["--require", "some"],
        ["--fast"],
    ],
)
@pytest.mark.usefixtures("nothing_runs")
def test_an_option_that_makes_no_sense_ends_with_status_2(
    copy: Class, tmp_path: Path, options: list[str]
) -> None:
    ran = command("grade", copy.assignment, *copy.paths, "--out", tmp_path / "new", *options)
    assert refused(ran, options[0]) and not (tmp_path / "new").exists()


@pytest.mark.usefixtures("nothing_runs")
def test_a_wrong_assignment_ends_with_status_2_and_every_problem(
    copy: Class, tmp_path: Path
) -> None:
    edit(copy.assignment / "assignment.toml", "points = 3", "points = -3\ncolour = 'red'")
    edit(copy.assignment / "assignment.toml", 'inputs = "small"', 'inputs = "tiny"')
    ran = command(*copy.arguments(tmp_path / "new"))
    assert refused(
        ran,
        "'kept-back', points",
        "'kept-back', colour",
        "inputs = 'tiny'",
        "3 problems",
    )
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("nothing_runs")
def test_inputs_and_mistakes_that_are_wrong_end_with_status_2(copy: Class) -> None:
    (copy.assignment / "mistakes" / "squares.py").write_text("print('no header')\n")
    assert refused(command(*copy.arguments()), "squares.py, line 1")
    (copy.assignment / "mistakes" / "squares.py").write_text(MISTAKE.replace("doubles", "triples"))
    assert refused(command(*copy.arguments()), "squares.py", "'triples'")
    edit(copy.assignment / "inputs.py", "return [(2,), (0,)]", "return None")
    assert refused(command(*copy.arguments()), "inputs.py: small: raised TypeError")


def test_a_solution_that_fails_its_own_check_ends_with_status_2(
    copy: Class, tmp_path: Path
) -> None:
    edit(copy.assignment / "solution.py", "return 2 * n", "return [][n]")
    ran = command(*copy.arguments(tmp_path / "new"))
    assert refused(ran, "IndexError: list index out of range: `return [][n]`", "1 problem")
    assert not (tmp_path / "new" / "results").exists()


@pytest.mark.usefixtures("nothing_runs")
def test_a_folder_that_cannot_be_written_is_our_fault(copy: Class, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = command(*copy.arguments(tmp_path / "file" / "out"))
    assert (ran.code, ran.out) == (1, "") and "cannot be written" in ran.err


# ---------------------------------------------------------------- isolation, our own faults


class Weaker(Lent):
    """A box that says it isolates less."""

    isolation = BoxIsolation("medium", ("limits", "landlock", "seccomp"), ("namespaces: refused",))


def test_less_isolation_than_required_refuses_before_any_code_runs(
    copy: Class, tmp_path: Path, lent_box: Lent, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = watched(monkeypatch)
    monkeypatch.setattr(boxes, "Box", lambda **options: Weaker(lent_box._box))
    arguments = (*copy.arguments(tmp_path / "new"), "--require", "strong")
    told = ("'medium', but 'strong' is required", "namespaces: refused", "autograder doctor")
    assert refused(command(*arguments), *told) and ran == []
    assert not list((tmp_path / "new").rglob("*.evidence"))
    assert command(*copy.arguments(tmp_path / "new"), "--require", "medium").code == 0
    assert len(ran) == 9 + EXPLAINING
    assert refused(command(*arguments), *told)  # what was gathered with less does not count
    assert len(ran) == 9 + EXPLAINING


def test_a_class_graded_with_little_isolation_can_be_judged_again(
    copy: Class, tmp_path: Path, lent_box: Lent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Weaker, "isolation", BoxIsolation("weak", ("limits",), ()))
    monkeypatch.setattr(boxes, "Box", lambda **options: Weaker(lent_box._box))
    out = tmp_path / "new"
    assert command(*copy.arguments(out)).code == 2
    ran = command(*copy.arguments(out), "--require", "weak")
    assert ran.code == 0 and "note: isolation was only 'weak'" in ran.err
    assert command("regrade", out, "--yes").code == 0


def lose(*marks: str) -> Callable[..., Run]:
    """Stands in for the driver: the box is lost under every job that holds one of these."""
    real = driver.run

    def act(job: Job, box: Any, **_: object) -> Run:
        if any(mark in source_of(job) for mark in marks):
            raise SandboxError("the zygote is gone")
        return real(job, box)

    return act


def test_a_submission_that_we_could_not_run_is_ungraded_and_never_zero(
    copy: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {
        "student-03.ipynb": notebook("total = 0.5", DOUBLES),
        "student-10.ipynb": notebook("total = 0.3 + 0", DOUBLES),
    }
    write_class(copy.paths[0], changed)
    monkeypatch.setattr(lazy, "run", lose("total = 0.5"))
    ran = command(*copy.arguments())
    assert ran.code == 1
    assert "1 ungraded, please check: student-03" in ran.err
    assert scores(copy.out) == SCORES | {"student-03": "", "student-10": 6}
    result = copy.result("student-03")
    assert (result["status"], result["score"]) == ("ungraded", None)
    assert "the zygote is gone" in result["reason"]
    assert all(e["score"] is None for e in result["exercises"])
    monkeypatch.undo()
    assert "student-03" in (copy.out / "feedback" / "student-03.html").read_text()


def test_what_was_ungraded_is_graded_by_the_next_run(
    copy: Class, lent_box: Lent, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_class(copy.paths[0], {"student-03.ipynb": notebook("total = 0.5", DOUBLES)})
    with monkeypatch.context() as patch:
        patch.setattr(lazy, "run", lose("total = 0.5"))
        assert command(*copy.arguments()).code == 1
    assert command(*copy.arguments()).code == 0
    assert scores(copy.out) == SCORES


def test_a_fault_of_the_grader_itself_costs_nobody_a_point(
    copy: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = driver.run

    def stumble(job: Job, box: Any, **_: object) -> Run:
        if "total = 0.5" in source_of(job):
            raise ZeroDivisionError("in the grader")
        return real(job, box)

    write_class(copy.paths[0], {"student-03.ipynb": notebook("total = 0.5", DOUBLES)})
    monkeypatch.setattr(lazy, "run", stumble)
    ran = command(*copy.arguments())
    assert ran.code == 1 and "student-03" in ran.err
    assert scores(copy.out) == SCORES | {"student-03": ""}
    assert "ZeroDivisionError" in copy.result("student-03")["reason"]


@pytest.mark.usefixtures("nothing_runs")
def test_a_box_that_cannot_start_is_our_fault(copy: Class, tmp_path: Path) -> None:
    ran = command(*copy.arguments(tmp_path / "new"))
    assert (ran.code, ran.out, ran.notes) == (1, "", "error: a box was started\n")


# ---------------------------------------------------------------- JSON, show, release, schema


@pytest.mark.usefixtures("nothing_runs")
def test_json_is_all_that_stands_on_stdout(copy: Class) -> None:
    for arguments in (copy.arguments(), ("regrade", copy.out, "--yes"), ("show", copy.out)):
        ran = command(*arguments, "--json")
        summary = json.loads(ran.out)
        assert (ran.code, summary["format"]) == (0, "autograder-summary/1")
        assert summary["students"] == len(SCORES)
    ran = command("show", copy.out, "student-01 (together)", "--json")
    assert json.loads(ran.out)["student"] == "student-01 (together)"


def shown(monkeypatch: pytest.MonkeyPatch, width: int, *arguments: object) -> str:
    monkeypatch.setattr(show, "out", Console(width=width))
    ran = command("show", *arguments)
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= width
    return ran.out


def test_a_class_is_shown_on_narrow_and_wide_terminals(
    whole: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, narrow = (shown(monkeypatch, width, whole.out) for width in (200, 50))
    for text in (wide, narrow):
        assert all(student in text for student in SCORES)
        assert "rejected" in text and "6" in text
    assert "✓✗" in wide and "julia" in wide
    assert "✓✗" not in narrow


def test_a_student_is_shown_with_every_check(whole: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (200, 50):
        text = shown(monkeypatch, width, whole.out, "student-02")
        assert all(word in text for word in ("sums", "doubles", "kept-back (hidden)", "graded"))
    assert "You multiply the number by itself" in shown(monkeypatch, 200, whole.out, "student-02")
    assert "line 1" in shown(monkeypatch, 200, whole.out, "student-04")


@pytest.mark.usefixtures("nothing_runs")
def test_names_with_brackets_are_shown_as_they_are(copy: Class) -> None:
    write_class(copy.paths[0], {"[bold]eve.ipynb": HAND_INS["student-01.ipynb"]})
    edit(copy.assignment / "assignment.toml", "points = 3", "points = 4")
    assert "[bold]eve" in command(*copy.arguments()).out
    edit(copy.assignment / "assignment.toml", "points = 4", "points = 5")
    assert command("regrade", copy.out, "--yes").out.count("[bold]eve") == 2
    odd = copy.out.rename(copy.out.with_name("out [red]"))
    ran = command("regrade", odd, "--yes")
    assert ran.code == 0 and str(odd / "gradebook.csv") in ran.out


def test_release_writes_the_template_and_notices_an_old_one(copy: Class) -> None:
    template = copy.assignment.parent.parent / "student_templates" / "tiny.ipynb"
    public = copy.assignment / "public.agw"
    ran = command("release", copy.assignment, "--check")
    assert refused(ran, "tiny.ipynb: the file does not exist", "public.agw", "autograder release")
    assert not template.exists() and not public.exists()
    assert command("release", copy.assignment).code == 0
    assert public.is_file()
    made = template.read_bytes()
    assert b"2 * n" not in made and b"SOLUTION" not in made
    ran = command("release", copy.assignment, "--check")
    assert ran.code == 0 and "up to date" in ran.out
    edit(copy.assignment / "solution.py", "# # A tiny assignment", "# # A small assignment")
    assert refused(command("release", copy.assignment, "--check"), "tiny.ipynb: differs")
    assert template.read_bytes() == made


@pytest.mark.usefixtures("nothing_runs")
def test_the_schema_is_printed() -> None:
    schema = json.loads(done("schema").out)
    assert schema["title"] == "Assignment"
    for name, table in schema["$defs"].items():
        for key, held in table["properties"].items():
            meaning = held.get("description", "")
            assert (meaning or key == "kind") and "](" not in meaning, f"{name}.{key}"


# ---------------------------------------------------------------- a grader that is killed


SLEEPER = "import time\ntime.sleep(0.6)\ntotal = 0.1 + 0.2 + {0}"


def waited(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.slow
def test_a_killed_grader_leaves_nothing_and_goes_on_where_it_was(tmp_path: Path) -> None:
    """SIGKILL in the middle; the same command finishes, and runs nothing finished again."""
    assignment = write_assignment(tmp_path)
    count, own = 12, 2  # hand-ins; evidence of the solution and of the known mistake
    folder = write_class(
        tmp_path / "class",
        {f"student-{n:02}.ipynb": notebook(SLEEPER.format(n), DOUBLES) for n in range(count)},
    )
    arguments = ["grade", str(assignment), str(folder), "--workers", "2", "--seed", SEED]
    out = tmp_path / "out"
    process = psutil.Popen(
        [sys.executable, "-m", "autograder", *arguments, "--out", str(out)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    started = waited(lambda: len(evidence_times(out)) >= own + 3, seconds=300)
    family = process.children(recursive=True)
    process.send_signal(signal.SIGKILL)
    assert process.wait(60) == -signal.SIGKILL and started
    _, alive = psutil.wait_procs(family, timeout=60)
    assert family and alive == []
    finished = evidence_times(out)
    assert own + 3 <= len(finished) < own + count
    assert not (out / "gradebook.csv").exists()

    ran = command(*arguments, "--out", out)
    assert ran.code == 0 and len(scores(out)) == count
    later = evidence_times(out)
    assert {name: later[name] for name in finished} == finished
    assert len(later) == own + count + 1  # and the mutants of what is wrong

    whole = tmp_path / "uninterrupted"
    assert command(*arguments, "--out", whole).code == 0
    assert (whole / "gradebook.csv").read_bytes() == (out / "gradebook.csv").read_bytes()
    assert (whole / "summary.json").read_bytes() == (out / "summary.json").read_bytes()


def test_every_command_is_in_a_group_of_the_help() -> None:
    shown = command("--help").out
    for panel, group in cli.GROUPS.items():
        assert panel in shown
        for name, place in group.items():
            assert f" {name} " in shown
            assert find_spec(f"autograder.commands.{place.module}") is not None


def test_the_old_spelling_of_package_works_with_a_note(whole: Class, tmp_path: Path) -> None:
    old = command("export", "nbgrader", whole.assignment, "--out", tmp_path / "out")
    new = command("package", "nbgrader", whole.assignment, "--out", tmp_path / "out")
    note, _, rest = old.err.partition("\n")
    assert note.startswith("note: this is now `autograder package nbgrader`")
    assert (old.code, rest) == (new.code, new.err) and "note:" not in new.err
    as_it_was = ["export", "gradescope", "tiny", "--package", "einops", "--out", "a.zip"]
    as_it_is = ["package", "gradescope", "tiny", "--install", "einops", "--out", "a.zip"]
    assert cli._as_now(as_it_was) == as_it_is
    grades = ["export", "nbgrader", str(whole.out), "--out", "a.csv"]
    assert cli._as_now(grades) == grades


def test_a_misspelled_command_names_the_one_that_was_meant() -> None:
    assert "Did you mean 'grade'?" in command("grad").err
    wrong = command("nothing")
    assert wrong.code == 2 and "Did you mean" not in wrong.err
