"""Judging a class again from what is remembered gives what judging it anew gives, byte for byte,
whatever was changed; and looks at no more than the change can touch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from autograder.assignment.kinds import Check
from autograder.classroom.regrade import basis, judging, regrade
from autograder.classroom.regrade.stored_grade import read_stored_grade
from autograder.classroom.regrade.table import DigestTable
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.errors import StoreError
from autograder.evidence import store as evidence
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder, versions
from autograder.gradebook.store import GradeStore
from autograder.judging.checks.finding import Finding
from autograder.judging.checks.registry import examine
from autograder.judging.verdict import Status
from tests.support import tiny_course
from tests.support.in_process import Lent, Ran, command
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
SQUARES_FILE = "mistakes/squares.py"
RELATION = "> 0 or seen.number('total') > 0.30000005:"
CHANGES: dict[str, tuple[list[tuple[str, str, str]], set[str]]] = {  # edits, checks judged anew
    "a tolerance": ([(TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")], {"sums/total", "sums/positive"}),
    "a reason": ([(TOML_FILE, "spread of two", "spread of three")], {"sums/total"}),
    "points and a hint": (
        [(TOML_FILE, "points = 3", "points = 4.5"), (TOML_FILE, "Try larger", "Try much larger")],
        {"doubles/kept-back"},
    ),
    "no need any more": ([(TOML_FILE, 'needs = ["total"]\n', "")], {"sums/positive"}),
    "one more is public": (
        [(TOML_FILE, 'relation = "is_positive"', 'public = true\nrelation = "is_positive"')],
        {"sums/positive"},
    ),
    "titles and a bonus": (
        [
            (TOML_FILE, '"Double a number"', '"Twice"'),
            (TOML_FILE, '"A tiny assignment"', '"A small one"'),
            (TOML_FILE, 'defines = ["double"]', 'defines = ["double"]\nstretch = true'),
        ],
        set(),
    ),
    "a relation": ([(CHECKS_FILE, "> 0:", RELATION)], {"sums/positive"}),
    "a mistake's words": ([(SQUARES_FILE, "by itself", "by its own self")], set()),
    "a mistake's name": ([(SQUARES_FILE, "squares the number", "takes a square")], set()),
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
    edits, touched = CHANGES[what]
    before = outcome(course)
    for file, old, new in edits:
        edit(course / "assignments" / "tiny" / file, old, new)
    fresh = anew(course, tmp_path / "fresh")
    seen.checks.clear()
    assert regraded(course).code == 0
    assert outcome(course) == outcome(fresh)
    assert set(seen.checks) == touched
    if what != "a reason":
        assert outcome(course) != before
    if what in ALONE:
        assert sorted(seen.anew) == ALONE[what]
        seen.checks.clear()
        seen.anew.clear()
        assert regraded(course).code == 0 and (seen.checks, seen.anew) == ([], [])
        assert outcome(course) == outcome(fresh)


def test_a_new_mistake_and_one_that_is_gone(course: Path, tmp_path: Path) -> None:
    mistakes = course / "assignments" / "tiny" / "mistakes"
    (mistakes / "raises.py").write_text(f"# doubles: raises\n# You raise an error.\n{RAISES}\n")
    assert regraded(course, workers=2).code == 0
    fresh = anew(course, tmp_path / "one")
    assert outcome(course) == outcome(fresh)
    assert b"You raise an error." in outcome(course)["student-05.html"]
    (mistakes / "squares.py").unlink()
    assert regraded(course).code == 0
    assert outcome(course) == outcome(anew(course, tmp_path / "two"))
    assert b"by itself" not in outcome(course)["student-02.html"]


def test_a_check_that_asks_nothing_new_comes_and_goes(course: Path, tmp_path: Path) -> None:
    toml = course / "assignments" / "tiny" / TOML_FILE
    more = POSITIVE.replace('"positive"', '"again"', 1) + DOUBLING
    for before, after in ((DOUBLING, more), (more, DOUBLING)):
        edit(toml, before, after)
        assert regraded(course).code == 0
        assert outcome(course) == outcome(anew(course, tmp_path / f"{len(after)}"))


def test_another_solution_is_compared_with(course: Path, tmp_path: Path) -> None:
    edit(course / "assignments" / "tiny" / "solution.py", "0.1 + 0.2", "0.3004")
    assert regraded(course).code == 0
    assert outcome(course) == outcome(anew(course, tmp_path / "fresh"))
    assert b'"score": 7' in outcome(course)["student-03.json"]


# ---------------------------------------------------------------- what is written


def test_only_what_has_changed_is_written(course: Path) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")
    times = {path: path.stat().st_mtime_ns for path in (course / "out").rglob("student-*.*")}
    assert regraded(course).code == 0
    written = {path.stem for path, before in times.items() if path.stat().st_mtime_ns != before}
    assert written == {"student-03"}
    with GradeStore(course / "out" / "grades.db") as store:
        assert len(store.runs()) == 2
        for student, grades in (("student-01", 1), ("student-03", 2)):
            assert len(store.history(student, assignment="tiny")) == grades


def test_files_that_are_not_as_written_are_written_again(course: Path, seen: Seen) -> None:
    fresh = outcome(course)
    out = course / "out"
    (out / "feedback" / "student-01.html").unlink()
    (out / "results" / "student-01.json").unlink()
    for name in ("feedback/student-02.html", "results/student-03.json"):
        path = out / name
        path.write_bytes(path.read_bytes().replace(b"a", b"b", 1))
    (out / "grades.db").unlink()
    assert regraded(course).code == 0 and seen.checks == []
    assert outcome(course) == fresh


def test_who_is_stopped_in_the_middle_finishes_it_the_next_time(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "points = 3", "points = 4.5")
    fresh = anew(course, tmp_path / "fresh")
    write_one, left = regrade.write_student, [2]

    def stopped(*arguments: object) -> object:
        left[0] -= 1
        if left[0]:
            return write_one(*arguments)  # type: ignore[arg-type]
        raise StoreError("the power is gone")

    for at in ("write_student", "write_class", "remember_row"):
        with monkeypatch.context() as patch:
            patch.setattr(regrade, at, stopped)
            assert regraded(course).code == 1, at
        left[0] = 1
    assert regraded(course).code == 0
    assert outcome(course) == outcome(fresh)


# ---------------------------------------------------------------- what is remembered


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGE = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-7]),
    "a bit of it is flipped": flipped,
    "a word of it is another": lambda path: path.write_bytes(
        path.read_bytes().replace(b"status\xa6failed", b"status\xa6passed")
    ),
    "something else": lambda path: path.write_bytes(b"x" * 5000),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


def test_damage_to_what_is_remembered_costs_nothing_but_time(course: Path) -> None:
    fresh, path = outcome(course), course / "out" / "remembered.db"
    for how, damage in DAMAGE.items():
        damage(path)
        assert regraded(course).code == 0, how
        assert outcome(course) == fresh, how


def test_what_is_kept_of_a_hand_in_counts_not_its_name(course: Path, seen: Seen) -> None:
    """The cells of another student, whose evidence is there."""
    folder = course / "out" / "submissions"
    theirs = msgspec.msgpack.decode((folder / "student-02.cells").read_bytes(), type=KeptSubmission)
    mine = msgspec.structs.replace(theirs, student="student-01")
    (folder / "student-01.cells").write_bytes(msgspec.msgpack.encode(mine))
    assert regraded(course).code == 0
    result = json.loads((course / "out" / "results" / "student-01.json").read_bytes())
    assert result["score"] == 4 and seen.anew == ["student-01"]


def test_another_version_of_what_judges_or_computes_judges_everything_anew(
    course: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = outcome(course)
    others = [lambda what=what: {**versions(), what: "another"} for what in ("torch", "python")]
    for name, found in (
        ("source_digest", lambda *names: b"another version"),
        *(("versions", other) for other in others),
    ):
        seen.anew.clear()
        monkeypatch.setattr(basis, name, found)
        assert regraded(course).code == 0
        assert outcome(course) == fresh and len(seen.anew) == 8
    every = {"sums/total", "sums/positive", "doubles/given", "doubles/kept-back"}
    assert set(seen.checks) == every


def test_all_that_makes_a_grade_is_in_the_digest_of_the_code() -> None:
    """Whatever the pipeline, what it is handed and what writes its files import, at any depth."""
    left = ["pipeline", "classroom.write_results", "classroom.regrade.judging"]
    left += ["classroom.mutant_bank", "interop.arrange"]
    reached = set[str]()
    while left:
        name = left.pop()
        if name and name not in reached:
            reached.add(name)
            file = name if name in modules() else f"{name}.__init__"
            left += imports(file) if file in modules() else ()
            left.append(name.rpartition(".")[0])
    own = {name.replace(".", "/") for name in reached & modules().keys()}
    judging = {name for name in own if any(f"{name}/".startswith(f"{j}/") for j in basis.JUDGING)}
    places = """
        classroom/results_folder classroom/solution_problems errors evidence/store
        evidence/torch_build evidence/url execution/engines/base execution/engines/once_more
        execution/engines/resources files
    """  # where things run and lie, which changes no grade
    assert own - judging == {*places.split()}
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
