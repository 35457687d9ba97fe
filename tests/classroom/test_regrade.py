"""Judging a class again from what is remembered gives what judging it anew gives, byte for byte,
whatever was changed; and looks at no more than the change can touch."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest

from autograder.assignment.kinds import Check
from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.classroom import boxes
from autograder.classroom import reference as class_reference
from autograder.classroom.regrade import basis, judging, regrade
from autograder.classroom.regrade.stored_grade import read_stored_grade
from autograder.classroom.regrade.table import DigestTable
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.errors import StoreError
from autograder.evidence import store as evidence
from autograder.evidence.records import Measured, ProbeRun, Run, Stop, TimeSpent
from autograder.evidence.store import EvidenceFolder, versions
from autograder.execution.engines.local import Local
from autograder.gradebook.store import GradeStore
from autograder.judging.checks.finding import Finding
from autograder.judging.checks.registry import examine
from autograder.judging.verdict import Status
from autograder.wire.messages import Outcome
from tests.support import tiny_course
from tests.support.in_process import Lent, Ran, command
from tests.support.progress import QUIET
from tests.support.tiny_course import (
    DOUBLES,
    INPUTS,
    MISTAKE,
    SOLUTION,
    SQUARES,
    SUMS,
    edit,
    notebook,
    write_class,
)
from tests.test_architecture import imports, modules

pytestmark = pytest.mark.usefixtures("lent_box")

POSITIVE = """
[[exercise.check]]
id = "positive"
kind = "relation"
title = "`total` is above zero"
points = 1
needs = ["total"]
relation = "is_positive"
reads = ["total"]
"""
DOUBLING = '\n[[exercise]]\nid = "doubles"'
LIMITS = "[limits]\ncell_cpu_s = 5\n\n"
TOML = tiny_course.TOML.replace(DOUBLING, POSITIVE + DOUBLING).replace(LIMITS, "")
CHECKS = """def is_positive(seen):
    if not seen.number("total") > 0:
        yield "`total` is not large enough."
"""
RAISES = "def double(n):\n    raise KeyError(n)"
HAND_INS = {
    "student-01.ipynb": notebook(SUMS, DOUBLES),
    "student-02.ipynb": notebook(SUMS, SQUARES),
    "student-03.ipynb": notebook("total = 0.3004", DOUBLES),
    "student-04.ipynb": '{"cells": [{"cell_type": "code", "sour',
    "student-05.ipynb": notebook("total = missing_name", RAISES),
    "student-06.py": '# %% exercise="sums"\ntotal = part + 0.2\n'
    f'# %% exercise="doubles"\n{DOUBLES}\n# %%\npart = 0.1\n',
    "student-07.ipynb": notebook("while True: pass", DOUBLES),
    "student-08.ipynb": notebook("total = 0.3000001", DOUBLES),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, lent_box: Lent) -> Path:
    """A course with a class that was graded once; tests take a copy."""
    root = tmp_path_factory.mktemp("graded")
    folder = root / "assignments" / "tiny"
    (folder / "mistakes").mkdir(parents=True)
    files = {
        "assignment.toml": TOML.replace(
            "[[exercise]]", "[limits]\ncell_cpu_s = 1\n\n[[exercise]]", 1
        ),
        "inputs.py": INPUTS,
        "checks.py": CHECKS,
        "solution.py": SOLUTION,
        "mistakes/squares.py": MISTAKE,
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    write_class(root / "class", HAND_INS)
    ran = command("grade", folder, root / "class", "--out", root / "out", "--seed", 7)
    assert ran.code == 0, ran.err
    return root


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    """The graded class with its assignment, free to be changed."""
    return copied(graded, tmp_path / "course")


def copied(course: Path, to: Path) -> Path:
    shutil.copytree(course, to)
    run_file = to / "out" / "run.json"
    run_file.write_text(run_file.read_text().replace(str(course), str(to)))
    return to


def regraded(course: Path, workers: int = 1) -> Ran:
    return command("regrade", course / "out", "--workers", workers, "--yes")


def anew(course: Path, to: Path) -> Path:
    """The class judged anew: by `grade`, which knows of nothing that is remembered."""
    fresh = copied(course, to)
    folder = fresh / "assignments" / "tiny"
    forget(fresh)
    ran = command("grade", folder, fresh / "class", "--out", fresh / "out")
    assert ran.code == 0, ran.err
    return fresh


def forget(course: Path) -> None:
    for path in (course / "out").glob("remembered.db*"):
        path.unlink()


def outcome(course: Path) -> dict[str, bytes]:
    """All that a class came to: files, and what the gradebook says, without times."""
    out = course / "out"
    found = {path.name: path.read_bytes() for path in (out / "feedback").iterdir()}
    found |= {name: (out / name).read_bytes() for name in ("gradebook.csv", "summary.json")}
    for path in (out / "results").iterdir():
        found[path.name] = untimed(path.read_bytes())
    with GradeStore(out / "grades.db") as store:
        for grade in store.latest("tiny"):
            found[f"row {grade.student}"] = repr((grade.score, grade.exercises)).encode()
    return {name: data.replace(str(course).encode(), b"") for name, data in found.items()}


def untimed(data: bytes) -> bytes:
    result = json.loads(data)
    del result["timing"]
    return json.dumps(result).encode()


class Seen:
    """What was looked at by a regrade: checks, and hand-ins whose grade did not stand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.checks: list[str] = []
        self.anew: list[str] = []
        judge_again = regrade._Class.judged

        def look(check: object, exercise: str, *compared: object) -> object:
            self.checks.append(f"{exercise}/{check.id}")  # type: ignore[attr-defined]
            return examine(check, exercise, *compared)  # type: ignore[arg-type]

        def note(class_: regrade._Class, path: Path, started: float) -> object:
            self.anew.append(path.stem)
            return judge_again(class_, path, started)

        monkeypatch.setattr(judging, "examine", look)
        monkeypatch.setattr(regrade._Class, "judged", note)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    return Seen(monkeypatch)


# ---------------------------------------------------------------- every kind of change

TOML_FILE, CHECKS_FILE = "assignment.toml", "checks.py"
CHANGES: dict[str, tuple[str, str, str, set[str]]] = {
    "a tolerance": (TOML_FILE, "rtol = 1e-6", "rtol = 1e-2", {"sums/total", "sums/positive"}),
    "a reason": (TOML_FILE, "spread of two", "spread of three", {"sums/total"}),
    "points": (TOML_FILE, "points = 3", "points = 4.5", {"doubles/kept-back"}),
    "points of the first": (TOML_FILE, "points = 2", "points = 5", {"sums/total"}),
    "a hint": (TOML_FILE, "Try larger numbers.", "Try much larger ones.", {"doubles/kept-back"}),
    "a check's title": (TOML_FILE, "`total` is the sum", "The sum", {"sums/total"}),
    "no need any more": (TOML_FILE, 'needs = ["total"]\n', "", {"sums/positive"}),
    "one more is public": (
        TOML_FILE,
        'relation = "is_positive"',
        'public = true\nrelation = "is_positive"',
        {"sums/positive"},
    ),
    "an exercise's title": (TOML_FILE, '"Double a number"', '"Twice"', set()),
    "the title": (TOML_FILE, '"A tiny assignment"', '"A small one"', set()),
    "a bonus": (TOML_FILE, 'defines = ["double"]', 'defines = ["double"]\nstretch = true', set()),
    "a relation": (
        CHECKS_FILE,
        "> 0:",
        "> 0 or seen.number('total') > 0.30000005:",
        {"sums/positive"},
    ),
    "a mistake's words": ("mistakes/squares.py", "by itself", "by its own self", set()),
    "a mistake's name": ("mistakes/squares.py", "squares the number", "takes a square", set()),
}


ALONE = {  # of whom alone the grade does not stand: their work is wrong there, or was
    "a tolerance": ["student-03"],
    "a reason": ["student-03"],
    "a mistake's words": ["student-02", "student-05"],
}


@pytest.mark.parametrize("what", CHANGES)
def test_after_a_change_the_class_is_as_if_judged_anew(
    course: Path, tmp_path: Path, what: str, seen: Seen
) -> None:
    file, old, new, touched = CHANGES[what]
    before = outcome(course)
    edit(course / "assignments" / "tiny" / file, old, new)
    fresh = anew(course, tmp_path / "fresh")
    seen.checks.clear()
    assert regraded(course).code == 0
    assert outcome(course) == outcome(fresh)
    assert set(seen.checks) == touched
    if what in ALONE:
        assert sorted(seen.anew) == ALONE[what]
    if what != "a reason":
        assert outcome(course) != before
    seen.checks.clear()
    seen.anew.clear()
    assert regraded(course).code == 0 and (seen.checks, seen.anew) == ([], [])
    assert outcome(course) == outcome(fresh)


def test_a_new_mistake_and_one_that_is_gone(course: Path, tmp_path: Path, seen: Seen) -> None:
    mistakes = course / "assignments" / "tiny" / "mistakes"
    (mistakes / "raises.py").write_text(f"# doubles: raises\n# You raise an error.\n{RAISES}\n")
    assert regraded(course).code == 0
    fresh = anew(course, tmp_path / "one")
    assert outcome(course) == outcome(fresh)
    assert b"You raise an error." in outcome(course)["student-05.html"]
    (mistakes / "squares.py").unlink()
    assert regraded(course).code == 0
    assert outcome(course) == outcome(anew(course, tmp_path / "two"))
    assert b"by itself" not in outcome(course)["student-02.html"]


def test_a_check_that_asks_nothing_new_comes_and_goes(course: Path, tmp_path: Path) -> None:
    toml = course / "assignments" / "tiny" / TOML_FILE
    more = (
        '[[exercise.check]]\nid = "again"\nkind = "value"\ntitle = "`total` once more"\n'
        'points = 1\nname = "total"\n'
        'tolerance = { rtol = 1e-2, atol = 0, why = "room for one rounding" }\n\n'
        '[[exercise]]\nid = "doubles"'
    )
    edit(toml, '[[exercise]]\nid = "doubles"', more)
    assert regraded(course).code == 0
    assert outcome(course) == outcome(anew(course, tmp_path / "with"))
    toml.write_text(toml.read_text().replace(more, '[[exercise]]\nid = "doubles"'))
    assert regraded(course).code == 0
    assert outcome(course) == outcome(anew(course, tmp_path / "without"))


def test_another_solution_is_compared_with(course: Path, tmp_path: Path, seen: Seen) -> None:
    edit(course / "assignments" / "tiny" / "solution.py", "0.1 + 0.2", "0.3004")
    assert regraded(course).code == 0
    assert outcome(course) == outcome(anew(course, tmp_path / "fresh"))
    assert b'"score": 7' in outcome(course)["student-03.json"]


def test_other_questions_are_refused_and_nothing_is_written(course: Path) -> None:
    before = outcome(course)
    edit(course / "assignments" / "tiny" / TOML_FILE, 'defines = ["total"]', 'defines = ["sum"]')
    edit(course / "assignments" / "tiny" / TOML_FILE, 'inputs = "small"', 'inputs = "large"')
    ran = regraded(course)
    assert (ran.code, ran.out) == (2, "") and "with the same --out" in ran.err
    assert outcome(course) == before


def test_two_workers_do_as_one_does(course: Path, tmp_path: Path) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")
    other = copied(course, tmp_path / "other")
    assert (regraded(course, 2).code, regraded(other, 1).code) == (0, 0)
    assert outcome(course) == outcome(other)


# ---------------------------------------------------------------- first the grades, then the files


def tree(folder: Path) -> dict[str, bytes]:
    """All files but the gradebook's and what is remembered."""
    return {
        str(path): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".db" not in path.name
    }


def judged(course: Path, lent_box: Lent) -> regrade.RegradedClass:
    """The class judged again, with nothing written."""
    workspace = ResultsFolder(course / "out")
    loaded = load(course / "assignments" / "tiny")
    offer = prepare(loaded)
    with boxes.box_for(loaded, offer, require="weak") as box:
        context = class_reference.make_context(
            loaded, offer, box, seed=7, draw=True, evidence=workspace.evidence
        )
        return regrade.judged_again(context, workspace, Local(1), QUIET)


def test_grades_are_known_before_anything_is_written(course: Path, lent_box: Lent) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")
    before, rows = tree(course / "out"), outcome(course)
    again_ = judged(course, lent_box)
    assert tree(course / "out") == before and outcome(course) == rows
    moved = {g.student for g in again_.grades if g.score != again_.before[g.student].score}
    assert moved == {"student-03"}
    assert {again_.grades[index].student for index in again_.changed} == moved
    regrade.write(again_, Local(1), QUIET, command=["regrade"])
    with GradeStore(again_.where) as store:
        assert {g.student: g.score for g in store.in_order("tiny")}["student-03"] == 7000
    assert outcome(course) != rows


def test_only_what_has_changed_is_written(course: Path) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")
    times = {path: path.stat().st_mtime_ns for path in (course / "out").rglob("student-*.*")}
    assert regraded(course).code == 0
    later = {path: path.stat().st_mtime_ns for path in times}
    assert {path.stem for path in times if later[path] != times[path]} == {"student-03"}
    with GradeStore(course / "out" / "grades.db") as store:
        assert len(store.runs()) == 2
        told = {
            student: len(store.history(student, assignment="tiny"))
            for student in ("student-01", "student-03")
        }
    assert told == {"student-01": 1, "student-03": 2}


@pytest.mark.parametrize("what", ["feedback/student-01.html", "results/student-02.json"])
@pytest.mark.parametrize("how", ["gone", "changed", "touched"])
def test_a_file_that_is_not_as_written_is_written_again(
    course: Path, tmp_path: Path, what: str, how: str, seen: Seen
) -> None:
    fresh = outcome(course)
    path = course / "out" / what
    data = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(data.replace(b"a", b"b", how == "changed"))
    assert regraded(course).code == 0 and seen.checks == []
    assert outcome(course) == fresh


def test_a_gradebook_that_was_lost_is_filled_again(course: Path) -> None:
    fresh = outcome(course)
    (course / "out" / "grades.db").unlink()
    assert regraded(course).code == 0
    assert outcome(course) == fresh


@pytest.mark.parametrize("at", ["write_student", "write_class", "remember_row"])
def test_who_is_stopped_in_the_middle_finishes_it_the_next_time(
    course: Path, tmp_path: Path, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "points = 3", "points = 4.5")
    fresh = anew(course, tmp_path / "fresh")
    real, left = getattr(regrade, at), [2]

    def stopped(*arguments: object) -> object:
        left[0] -= 1
        if at != "write_student" or not left[0]:
            raise StoreError("the power is gone")
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(regrade, at, stopped)
        assert regraded(course).code == 1
    assert regraded(course).code == 0
    assert outcome(course) == outcome(fresh)


# ---------------------------------------------------------------- what is remembered


def remembered(course: Path) -> Path:
    return course / "out" / "remembered.db"


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGE = {
    "gone": Path.unlink,
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "empty": lambda path: path.write_bytes(b""),
    "cut": cut,
    "a bit of it is flipped": flipped,
    "a word of it is another": lambda path: path.write_bytes(
        path.read_bytes().replace(b"status\xa6failed", b"status\xa6passed")
    ),
    "something else": lambda path: path.write_bytes(b"x" * 5000),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_damage_to_what_is_remembered_costs_nothing_but_time(
    course: Path, tmp_path: Path, how: str
) -> None:
    fresh = outcome(course)
    DAMAGE[how](remembered(course))
    assert regraded(course).code == 0
    assert outcome(course) == fresh
    assert regraded(course).code == 0
    assert outcome(course) == fresh


def test_an_entry_that_is_damaged_or_another_s_is_as_if_there_were_none(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with DigestTable(path) as table:
        table.put(b"a", b"one")
        table.put(b"b", b"two")
        assert (table.get(b"a"), table.get(b"b"), table.get(b"c")) == (b"one", b"two", None)
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE remembered SET value = (SELECT value FROM remembered WHERE key = ?) WHERE key = ?",
        (b"a", b"b"),
    )
    (stored,) = connection.execute("SELECT value FROM remembered WHERE key = ?", (b"a",)).fetchone()
    connection.execute("UPDATE remembered SET value = ? WHERE key = ?", (stored[:-1] + b"!", b"a"))
    connection.commit()
    connection.close()
    with DigestTable(path) as table:
        assert (table.get(b"a"), table.get(b"b")) == (None, None)
        table.put(b"a", b"three")
        assert table.get(b"a") == b"three"


def test_a_table_that_fails_fails_nobody(tmp_path: Path) -> None:
    with DigestTable(tmp_path / "no" / "such" / "folder" / "table.db") as table:
        table.put(b"a", b"one")
        table.commit()
        assert table.get(b"a") is None
    with DigestTable(tmp_path / "table.db") as table, DigestTable(tmp_path / "table.db") as other:
        table.put(b"a", b"one")
        other.put(b"a", b"two")
        assert (table.get(b"a"), other.get(b"a")) == (b"one", None)


def test_what_is_kept_of_a_hand_in_counts_not_its_name(course: Path, seen: Seen) -> None:
    """The cells of another student, whose evidence is there."""
    folder = course / "out" / "submissions"
    theirs = msgspec.msgpack.decode((folder / "student-02.cells").read_bytes(), type=KeptSubmission)
    mine = msgspec.structs.replace(theirs, student="student-01")
    (folder / "student-01.cells").write_bytes(msgspec.msgpack.encode(mine))
    assert regraded(course).code == 0
    result = json.loads((course / "out" / "results" / "student-01.json").read_bytes())
    assert result["score"] == 4 and seen.anew == ["student-01"]


def test_a_new_version_of_the_grader_judges_everything_anew(
    course: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = outcome(course)
    monkeypatch.setattr(basis, "source_digest", lambda *names: b"another version")
    assert regraded(course).code == 0
    assert outcome(course) == fresh and len(seen.anew) == 8
    assert set(seen.checks) == {"sums/total", "sums/positive", "doubles/given", "doubles/kept-back"}


@pytest.mark.parametrize("what", ["torch", "numpy", "python"])
def test_what_computes_is_in_the_version(
    course: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(basis, "versions", lambda: {**versions(), what: "another"})
    assert regraded(course).code == 0 and len(seen.anew) == 8


def test_what_lies_about_between_the_sources_is_in_no_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(evidence.PACKAGE, tmp_path / "p", ignore=shutil.ignore_patterns("*.pyc"))
    monkeypatch.setattr(evidence, "PACKAGE", tmp_path / "p")
    before = evidence.source_digest(*basis.JUDGING)
    judging = tmp_path / "p" / "judging"
    for name in ("checks/__pycache__", "checks/new/__pycache__", "diagnosis/.idea"):
        (judging / name).mkdir(parents=True, exist_ok=True)
    for name in ("checks/value.py~", "checks/.value.py.swp", "judge.pyc", "checks/notes.txt"):
        (judging / name).write_text("x")
    with (tmp_path / "p" / "sandbox" / "attacks.py").open("a") as file:
        file.write("# it judges nothing\n")
    assert evidence.source_digest(*basis.JUDGING) == before
    found = {before}
    for name in ("../gradebook/points.py", "../pipeline.py", "checks/value.py", "judge.py"):
        with (judging / name).open("a") as file:
            file.write("x = 1\n")
        found.add(evidence.source_digest(*basis.JUDGING))
    assert len(found) == 5


def test_all_that_makes_a_grade_is_in_the_digest_of_the_code() -> None:
    """Whatever the pipeline, what it is handed and what writes its files import, at any depth."""
    left = [
        "pipeline",
        "classroom.write_results",
        "classroom.regrade.judging",
        "classroom.mutant_bank",
        "interop.arrange",
    ]
    reached = set[str]()
    while left:
        name = left.pop()
        if name and name not in reached:
            reached.add(name)
            file = name if name in modules() else f"{name}.__init__"
            left += imports(file) if file in modules() else ()
            left.append(name.rpartition(".")[0])
    own = {name.replace(".", "/") for name in reached & modules().keys()}
    places = {  # where things run and lie, which changes no grade
        "classroom/results_folder",
        "classroom/solution_problems",
        "errors",
        "evidence/store",
        "evidence/torch_build",
        "evidence/url",
        "execution/engines/base",
        "execution/engines/once_more",
        "execution/engines/resources",
        "files",
    }
    judging = {name for name in own if any(f"{name}/".startswith(f"{j}/") for j in basis.JUDGING)}
    assert own - judging == places
    assert all(any(f"{name}/".startswith(f"{j}/") for name in own) for j in basis.JUDGING)


def test_a_check_that_looks_beyond_its_answers_is_remembered_for_nobody(
    course: Path, monkeypatch: pytest.MonkeyPatch, seen: Seen
) -> None:
    def beyond(check: Check, exercise: str, run: Run, *compared: object) -> Finding:
        seen.checks.append(check.id)
        return Finding(Status.PASSED, message=f"{len(run.stops)} stops")

    monkeypatch.setattr(judging, "examine", beyond)
    forget(course)
    for _ in range(2):
        seen.checks.clear()
        assert regraded(course).code == 0
        assert len(seen.checks) >= 7 * 4 and len(set(seen.anew)) == 8


def test_answers_are_the_same_when_a_check_sees_the_same() -> None:
    asked = {"a": frozenset({"p"}), "speed": frozenset({"p"})}
    one = basis.Basis(b"", {}, {}, b"", asked, frozenset({"speed"}), {"ex": frozenset({"q"})})
    spent, claim = TimeSpent(1.0, 2.0), Outcome("returned", 7)
    first = ProbeRun("p", claim, None, spent)
    measured = Measured(0.0, 0.0, 0.0, 1, "none", ())

    def answers(check: str, *probes: ProbeRun) -> bytes:
        return one.answers(check, Run((), probes, measured))

    slower = msgspec.structs.replace(first, spent=TimeSpent(9.0, 9.0))
    other = ProbeRun("q", claim, None, spent)
    same = [answers("a", *probes) for probes in ((first,), (slower,), (other, first))]
    assert len(set(same)) == 1 and answers("speed", first) != answers("speed", slower)
    stops = [Stop("cpu", "too slow"), Stop("wall", "too slow"), Stop("cpu", "too slow indeed")]
    others = [
        (),
        (first, first),
        (msgspec.structs.replace(first, claim=Outcome("returned", 8)),),
        (msgspec.structs.replace(first, claim=None),),
        *((msgspec.structs.replace(first, claim=None, stop=stop),) for stop in stops),
    ]
    found = {answers("a", *probes) for probes in others} | set(same)
    assert len(found) == len(others)  # nobody asked and asked twice are one
    runs = [Run((), probes, measured) for probes in ((first,), (other,), (other, slower))]
    explained = [one.explained_by("ex", run) for run in runs]  # by the answers to small calls alone
    assert explained[0] != explained[1] == explained[2]


def test_only_checks_of_cost_look_at_what_an_answer_cost() -> None:
    """The others are found the same for all who gave the same answers."""
    spent = {
        path.stem
        for path in (evidence.PACKAGE / "judging/checks").glob("*.py")
        if ".spent" in path.read_text()
    }
    assert spent == basis.TIMED
    for path in (evidence.PACKAGE / "judging/diagnosis").glob("*.py"):
        assert ".spent" not in path.read_text()


def test_evidence_that_is_gone_or_damaged_is_not_judged_by_memory(course: Path) -> None:
    before = outcome(course)
    workspace = ResultsFolder(course / "out")
    with DigestTable(workspace.remembered) as table:
        old = read_stored_grade(table, "student-01")
    assert old is not None
    path = EvidenceFolder(workspace.evidence).path(old.traces[0].keys[0])
    data = path.read_bytes()
    for damage in (b"", data[:-1], data[:-9] + b"x" + data[-8:]):
        path.write_bytes(damage)
        ran = regraded(course)
        assert ran.code == 2 and "with the same --out" in ran.err
    path.unlink()
    assert regraded(course).code == 2
    path.write_bytes(data)  # at another time, but the same
    assert regraded(course).code == 0
    assert outcome(course) == before
