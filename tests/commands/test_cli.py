"""The command line on a tiny class: files, exit statuses, resuming, judging again, our faults."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
from tests.support.notebooks import code, written
from tests.support.tables import rows_beside
from tests.support.tiny_course import (
    DOUBLES,
    SQUARES,
    SUMS,
    edit,
    notebook,
    scores,
    write_assignment,
    write_class,
)

pytestmark = pytest.mark.usefixtures("lent_box")

TABLES = rows_beside(__file__)
SEED = "20170612"


# ---------------------------------------------------------------- an assignment and a class


BLANK = "def double(n):\n    raise NotImplementedError"
OTHER_STAMP = {"assignment": "other", "version": "0123456789ab"}
HAND_INS = {
    "student-01.ipynb": notebook(SUMS, DOUBLES),
    "student-02.ipynb": notebook(SUMS, SQUARES),
    "student-03.ipynb": notebook("total = 0.3004", DOUBLES),
    "student-04.ipynb": '{"cells": [{"cell_type": "code", "sour',
    # runs in a second order; lacks an import, which is put back; is blank below its answers
    "student-05.py": f'# %%\nimport math\n# %% exercise="sums"\ntotal = part + 0.2\n'
    f'# %% exercise="doubles"\n{DOUBLES}\n# %%\npart = 0.1\n',
    "student-06.ipynb": notebook("total = math.fsum([0.1, 0.2])", DOUBLES),
    "student-07.py": f"# %%\nimport math\n# %%\n{SUMS}\n# %%\n{DOUBLES}\n# %%\n{BLANK}\n",
    "student-08.py": f"# %% one\n{SUMS}\n# %% two\n{DOUBLES}\n# %% three\n1 / 0\n",
    "student-10.ipynb": written([code("print('hello')")], autograder=OTHER_STAMP),
    "together/student-01.ipynb": notebook(SUMS, "def double(n):\n    raise KeyError(n)"),
    ".DS_Store": "",
    ".z.ipynb": "{}",
    "b.pdf": "%PDF",
}
ZIPPED = {"late/student-09.ipynb": notebook("total = 0", DOUBLES)}
NOTED = (
    "together/student-01.ipynb: another file has this name",
    "no cell of this assignment is in what these submitted: student-10\n",
    "hidden: class/.z.ipynb",
    "not named like a submission: class/b.pdf",
    "also skipped: 1 file of operating systems and editors.\n",
)
RUNS = 11  # of ten hand-ins that can be read, one of them in two orders
EXPLAINING = 6  # runs that explain: small calls and edits of two students, mutants of two exercises
SCORES: dict[str, float | str] = {
    "student-01": 6,
    "student-01 (together)": 2,
    "student-02": 3,
    "student-03": 4,
    "student-04": "",
    "student-05": 6,
    "student-06": 6,
    "student-07": 6,
    "student-08": 6,
    "student-09": 4,
    "student-10": 0,
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

    def results(self) -> list[Any]:
        """Each student's, without the times that grading took."""
        return [{**self.result(student), "timing": None} for student in SCORES]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, lent_box: Lent) -> Class:
    """The class, graded once. Tests that change something take a copy."""
    root = tmp_path_factory.mktemp("course")
    assignment = write_assignment(root)
    given = "# %% locked=true\nimport math\n\n"
    edit(assignment / "solution.py", '# %% exercise="sums"', f'{given}# %% exercise="sums"')
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
    assert whole.ran.code == 0 and "run now" in whole.ran.out
    assert all(noted in whole.ran.err for noted in NOTED)
    for said in ("student-01 (together)", "gradebook.csv", "feedback", "results"):
        assert said in whole.ran.out
    assert scores(whole.out) == SCORES


def test_every_file_is_there_and_nothing_else(whole: Class) -> None:
    names = {path.name for path in whole.out.iterdir()} - {"grades.db-wal", "grades.db-shm"}
    assert names == set(
        ".lock evidence feedback grades.db gradebook.csv intake.jsonl metrics.prom remembered.db "
        "results run.json submissions summary.json".split()
    )
    for folder, suffix in (("results", ".json"), ("feedback", ".html")):
        assert {path.name for path in (whole.out / folder).iterdir()} == {
            f"{student}{suffix}" for student in SCORES
        }
    assert list(whole.out.rglob("*.tmp")) == []
    assert len(evidence_times(whole.out)) == 2 + RUNS + EXPLAINING  # solution and mistake
    summary = json.loads((whole.out / "summary.json").read_bytes())
    assert summary["status"] == {"graded": 10, "rejected": 1, "ungraded": 0}


def test_a_notebook_for_another_assignment_is_announced_everywhere(whole: Class) -> None:
    told = "holds no cell of the assignment 'tiny'; is it for another assignment?"
    assert told in " ".join(whole.ran.out.split())
    result = whole.result("student-10")
    assert told in result["reason"]
    assert "is stamped for the assignment 'other'" in result["submission"]["repairs"][0]
    assert "another assignment" in (whole.out / "gradebook.csv").read_text()
    pages = {s: (whole.out / "feedback" / f"{s}.html").read_text() for s in SCORES}
    assert [s for s, page in pages.items() if "another assignment" in page] == ["student-10"]
    assert "holds no cell" in command("show", whole.out, "student-10").out


def test_a_known_mistake_is_named_and_a_hidden_check_stays_hidden(whole: Class) -> None:
    checks = whole.result("student-02")["exercises"][1]["checks"]
    assert [c["status"] for c in checks] == ["passed", "failed"]
    assert checks[1]["diagnosis"].startswith("You multiply the number by itself")
    page = (whole.out / "feedback" / "student-02.html").read_text()
    assert "You multiply the number by itself" in page and "Try larger numbers." not in page
    asked = json.loads(checks[1]["message"].split("double(")[1].split(")")[0])
    for hidden in (str(asked), str(2 * asked), "a title that nobody shall see", "kept-back"):
        assert hidden not in page


def test_a_file_that_cannot_be_graded_is_rejected_with_its_place(whole: Class) -> None:
    result = whole.result("student-04")
    assert (result["status"], result["score"]) == ("rejected", None)
    assert "student-04.ipynb" in result["reason"] and "line 1" in result["reason"]
    rows = (whole.out / "gradebook.csv").read_text().splitlines()
    assert ",rejected,,6," in next(row for row in rows if "student-04" in row)
    assert "student-04.ipynb" in (whole.out / "feedback" / "student-04.html").read_text()


def test_a_notebook_that_is_mended_says_how_and_two_of_one_stem_are_two_students(
    whole: Class,
) -> None:
    for student, mended in (("05", "run again"), ("06", "was restored"), ("07", "left blank")):
        repairs = str(whole.result(f"student-{student}")["submission"]["repairs"])
        assert mended in repairs
    assert whole.result("student-08")["score"] == 6  # 1 / 0 in a cell of its own costs nothing
    assert whole.result("student-09")["submission"]["file"].endswith("late/student-09.ipynb")
    other = whole.result("student-01 (together)")
    assert other["submission"]["file"] == "class/together/student-01.ipynb"
    assert "same student id" in other["submission"]["repairs"][0]
    assert other["exercises"][1]["status"] == "raised"
    assert "KeyError" in other["exercises"][1]["checks"][0]["message"]


# ---------------------------------------------------------------- grade again, regrade


def source_of(job: Job) -> str:
    return "\n".join(cell.source for cell in job.cells)


@pytest.mark.usefixtures("nothing_runs")
def test_a_second_grade_and_a_regrade_run_nothing_and_give_the_same_bytes(copy: Class) -> None:
    """Also of the notebooks that were mended."""
    before, times = (copy.out / "gradebook.csv").read_bytes(), evidence_times(copy.out)
    told = copy.results()
    ran = command("grade", copy.assignment, *copy.paths, "--out", copy.out)
    assert ran.code == 0 and "graded, all from earlier runs\n" in ran.out
    shutil.rmtree(copy.paths[0])  # the hand-ins themselves are not needed
    ran = command("regrade", copy.out, "--yes")
    assert ran.code == 0 and "Nobody's score has changed." in ran.out
    assert (copy.out / "gradebook.csv").read_bytes() == before and copy.results() == told
    assert evidence_times(copy.out) == times


def test_a_file_that_is_lost_is_told_and_ends_with_1(
    copy: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "find", lambda paths: find(paths)[1:])
    ran = command(*copy.arguments())
    assert ran.code == 1 and "NOT ACCOUNTED FOR: the file class/student-01.ipynb" in ran.err
    assert scores(copy.out) == SCORES


def test_only_what_changed_is_run_again(copy: Class) -> None:
    times = evidence_times(copy.out)
    write_class(copy.paths[0], {"student-03.ipynb": notebook(SUMS, DOUBLES + " + 0")})
    ran = command(*copy.arguments())
    assert ran.code == 0
    assert "of them from earlier runs of the same code, 1 run now\n" in ran.out
    later = evidence_times(copy.out)
    assert {name: later[name] for name in times} == times and len(later) == len(times) + 1
    assert scores(copy.out) == SCORES | {"student-03": 6}


@pytest.mark.usefixtures("nothing_runs")
def test_regrade_judges_anew_without_student_code_and_writes_nothing_unasked(copy: Class) -> None:
    edit(copy.assignment / "assignment.toml", "points = 3", "points = 4.5")
    moved = {s: score + 1.5 for s, score in SCORES.items() if isinstance(score, int) and score > 3}
    files = [path for path in copy.out.rglob("*") if path.suffix in (".csv", ".html", ".json")]
    before = {path: path.read_bytes() for path in files}
    for flags in ((), ("--json",)):
        ran = command("regrade", copy.out, *flags)
        assert ran.code == 1 and "--yes" in ran.err
        assert "student-03" in (ran.err if flags else ran.out)
        assert {path: path.read_bytes() for path in files} == before
    ran = command("regrade", copy.out, "--yes")
    assert ran.code == 0
    assert scores(copy.out) == SCORES | moved
    changes = ran.out.split("Gradebook")[0].split("\nstudent ")[0].splitlines()
    named = {line.split("│")[1].strip() for line in changes if "│" in line}
    assert named & SCORES.keys() == moved.keys()


# ---------------------------------------------------------------- wrong commands, wrong files


def refused(ran: Ran, *words: str) -> bool:
    assert (ran.code, ran.out) == (2, "") and "Traceback" not in ran.err
    assert all(word in ran.err for word in words), ran.err
    return True


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize(("words", "said"), TABLES["refused"])
def test_a_command_that_makes_no_sense_ends_with_status_2(
    whole: Class, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    places = {
        "tiny": whole.assignment,
        "class": whole.paths[0],
        "out": whole.out,
        "empty": tmp_path / "empty",
        "text": tmp_path / "notes.txt",
        "new": tmp_path / "new",
    }
    places["empty"].mkdir()
    places["text"].write_text("")
    (tmp_path / "out/first").mkdir(parents=True)
    (tmp_path / "out/first/run.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    assert refused(command(*words.format(**places).split()), said)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("file", "old", "new", "told"), TABLES["wrong assignments"])
def test_a_wrong_assignment_ends_with_status_2(
    copy: Class, tmp_path: Path, file: str, old: str, new: str, told: str
) -> None:
    edit(copy.assignment / file, old, new)
    assert refused(command(*copy.arguments(tmp_path / "new")), told)
    assert not (tmp_path / "new" / "results").exists()


@pytest.mark.usefixtures("nothing_runs")
def test_results_of_another_assignment_are_left_alone(copy: Class) -> None:
    edit(copy.assignment / "assignment.toml", 'id = "tiny"', 'id = "other"')
    assert refused(command(*copy.arguments()), "contains results of 'tiny'", "another --out")


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize(
    ("out", "said"), [("file/out", "cannot be written"), ("new", "error: a box was started\n")]
)
def test_a_folder_that_cannot_be_written_and_a_box_that_cannot_start_are_our_fault(
    whole: Class, tmp_path: Path, out: str, said: str
) -> None:
    (tmp_path / "file").write_text("")
    ran = command(*whole.arguments(tmp_path / out))
    assert (ran.code, ran.out) == (1, "") and said in ran.err


# ---------------------------------------------------------------- isolation, our own faults


class Weaker(Lent):
    """A box that says it isolates less."""

    isolation = BoxIsolation("weak", ("limits",), ("namespaces: refused",))


def test_less_isolation_than_required_refuses_before_any_code_runs(
    whole: Class, tmp_path: Path, lent_box: Lent, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def act(job: Job, box: Any, **_: object) -> Run:
        ran.append(source_of(job))
        return driver.run(job, box)

    monkeypatch.setattr(lazy, "run", act)
    monkeypatch.setattr(boxes, "Box", lambda **options: Weaker(lent_box._box))
    out = tmp_path / "new"
    grade = ("grade", whole.assignment, whole.paths[0] / "student-01.ipynb", "--out", out)
    told = ("'weak', but 'medium' is required", "namespaces: refused", "autograder doctor")
    assert refused(command(*grade), *told)
    assert ran == [] and not list(out.rglob("*.evidence"))
    weakly = command(*grade, "--require", "weak")
    assert weakly.code == 0 and "note: isolation was only 'weak'" in weakly.err
    assert command("regrade", out, "--yes").code == 0
    runs = len(ran)
    assert refused(command(*grade), *told)  # what was gathered with less does not count
    assert len(ran) == runs > 0


@pytest.mark.parametrize("fault", [SandboxError("the zygote is gone"), ZeroDivisionError("ours")])
def test_what_we_could_not_run_is_ungraded_never_zero_and_graded_by_the_next_run(
    copy: Class, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    real = driver.run

    def lose(job: Job, box: Any, **_: object) -> Run:
        if "total = 0.5" in source_of(job):
            raise fault
        return real(job, box)

    write_class(
        copy.paths[0],
        {
            "student-03.ipynb": notebook("total = 0.5", DOUBLES),
            "student-11.ipynb": notebook("total = 0.3 + 0", DOUBLES),
        },
    )
    with monkeypatch.context() as patch:
        patch.setattr(lazy, "run", lose)
        ran = command(*copy.arguments())
    assert ran.code == 1 and "1 ungraded, please check: student-03" in ran.err
    assert scores(copy.out) == SCORES | {"student-03": "", "student-11": 6}
    result = copy.result("student-03")
    assert (result["status"], result["score"]) == ("ungraded", None)
    assert str(fault) in result["reason"]
    assert all(e["score"] is None for e in result["exercises"])
    assert command(*copy.arguments()).code == 0
    assert scores(copy.out) == SCORES | {"student-11": 6}


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


@pytest.mark.parametrize("width", [50, 200])
def test_a_class_and_a_student_are_shown_on_any_terminal(
    whole: Class, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(show, "out", Console(width=width))
    for student, words in (
        ((), SCORES),
        (("student-02",), ("doubles", "kept-back (hidden)", "by accident", "graded")),
        (("student-04",), ("line 1",)),
    ):
        ran = command("show", whole.out, *student)
        assert (ran.code, ran.err) == (0, "")
        assert max(map(len, ran.out.splitlines())) <= width
        assert all(word in ran.out for word in words)


@pytest.mark.usefixtures("nothing_runs")
def test_names_with_brackets_are_shown_as_they_are(copy: Class) -> None:
    write_class(copy.paths[0], {"[bold]eve.ipynb": HAND_INS["student-01.ipynb"]})
    assert "[bold]eve" in command(*copy.arguments()).out
    edit(copy.assignment / "assignment.toml", "points = 3", "points = 5")
    odd = copy.out.rename(copy.out.with_name("out [red]"))
    ran = command("regrade", odd, "--yes")
    assert ran.code == 0 and ran.out.count("[bold]eve") == 2
    assert str(odd / "gradebook.csv") in ran.out


@pytest.mark.usefixtures("nothing_runs")
def test_the_schema_is_printed() -> None:
    schema = json.loads(done("schema").out)
    assert schema["title"] == "Assignment"
    for name, table in schema["$defs"].items():
        for key, held in table["properties"].items():
            meaning = held.get("description", "")
            assert (meaning or key == "kind") and "](" not in meaning, f"{name}.{key}"


def test_every_command_is_in_a_group_of_the_help() -> None:
    shown = command("--help").out
    for panel, group in cli.GROUPS.items():
        assert panel in shown and all(f" {name} " in shown for name in group)


def test_a_misspelled_command_names_the_one_that_was_meant() -> None:
    assert "Did you mean 'grade'?" in command("grad").err
    wrong = command("nothing")
    assert wrong.code == 2 and "Did you mean" not in wrong.err
