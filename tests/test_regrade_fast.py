"""Judging a class again from what is remembered gives what judging it anew gives, byte for byte,
whatever was changed; and looks at no more than the change can touch."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path

import msgspec
import pytest

from autograder import classroom, regrade
from autograder.bench.regrade import change_tolerance, with_comment
from autograder.checks.registry import examine
from autograder.engines.forked import Forked, WorkerLost
from autograder.engines.local import Local
from autograder.errors import SpecError, StoreError, UsageError
from autograder.evidence import EvidenceFolder
from autograder.gradebook.store import GradeStore
from autograder.notebook.read import read
from autograder.recall import again, basis
from autograder.recall.memory import read_memory
from autograder.sandbox.box import Box
from autograder.sandbox.run import Stop
from autograder.shelf import Damaged, shelve, shelved_run
from autograder.spec.load import load
from autograder.spec.pretrained import prepare
from autograder.workspace import Kept, Workspace
from tests.in_process import Lent, Ran, command
from tests.test_cli import DOUBLES, SQUARES, SUMS, edit, notebook, write_class

TOML = """format = 1
id = "tiny"
title = "A tiny assignment"

[[exercise]]
id = "sums"
title = "Add up"
defines = ["total"]

[[exercise.check]]
id = "total"
kind = "value"
title = "`total` is the sum"
points = 2
public = true
name = "total"
hint = "Add all of them."
tolerance = { rtol = 1e-6, atol = 1e-6, why = "spread of two orders of adding" }

[[exercise.check]]
id = "positive"
kind = "relation"
title = "`total` is above zero"
points = 1
needs = ["total"]
relation = "is_positive"
reads = ["total"]

[[exercise]]
id = "doubles"
title = "Double a number"
defines = ["double"]

[[exercise.check]]
id = "given"
kind = "function"
title = "`double` doubles small numbers"
points = 1
public = true
call = "double"
inputs = "small"

[[exercise.check]]
id = "kept-back"
kind = "function"
title = "a title that nobody shall see"
points = 3
call = "double"
inputs = "large"
hint = "Try larger numbers."
"""
INPUTS = """def small(rng):
    return [(2,), (0,)]


def large(rng):
    return [(int(n),) for n in rng.integers(10**6, 10**9, 3)]
"""
CHECKS = """def is_positive(seen):
    if not seen.number("total") > 0:
        yield "`total` is not large enough."
"""
SOLUTION = """# %% [markdown]
# # A tiny assignment

# %% exercise="sums"
# BEGIN SOLUTION
total = 0.1 + 0.2
# END SOLUTION

# %% exercise="doubles"
def double(n):
    # BEGIN SOLUTION
    return 2 * n
    # END SOLUTION
"""
MISTAKE = """# doubles: squares the number
# You multiply the number by itself. Two times two is four by accident.
def double(n):
    return n * n
"""
RAISES = "def double(n):\n    raise KeyError(n)"
HAND_INS = {
    "student-01.ipynb": notebook(SUMS, DOUBLES),
    "student-02.ipynb": notebook(SUMS, SQUARES),
    "student-03.ipynb": notebook("total = 0.3004", DOUBLES),
    "student-04.ipynb": '{"cells": [{"cell_type": "code", "sour',
    "student-05.ipynb": notebook("total = missing_name", RAISES),
    "student-06.py": "# %% exercise=\"sums\"\ntotal = part + 0.2\n"
                     f"# %% exercise=\"doubles\"\n{DOUBLES}\n# %%\npart = 0.1\n",
    "student-07.ipynb": notebook("while True: pass", DOUBLES),
    "student-08.ipynb": notebook("total = 0.3000001", DOUBLES),
}  # fmt: skip


@pytest.fixture(scope="module")
def lent(plain_box: Box) -> Lent:
    return Lent(plain_box)


@pytest.fixture(autouse=True)
def _lend(lent: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "Box", lambda **options: lent)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, lent: Lent) -> Path:
    """A course with a class that was graded once; tests take a copy."""
    root = tmp_path_factory.mktemp("graded")
    folder = root / "assignments" / "tiny"
    (folder / "mistakes").mkdir(parents=True)
    files = {"assignment.toml": TOML.replace("[[exercise]]", "[limits]\ncell_cpu_s = 1\n\n"
                                             "[[exercise]]", 1),
             "inputs.py": INPUTS, "checks.py": CHECKS, "solution.py": SOLUTION,
             "mistakes/squares.py": MISTAKE}  # fmt: skip
    for name, text in files.items():
        (folder / name).write_text(text)
    write_class(root / "class", HAND_INS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classroom, "Box", lambda **options: lent)
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
    shutil.rmtree(fresh / "out" / "evidence" / "judged")
    ran = command("grade", folder, fresh / "class", "--out", fresh / "out")
    assert ran.code == 0, ran.err
    return fresh


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
    """What was looked at by a regrade: checks while recalling, and hand-ins judged anew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.checks: list[str] = []
        self.anew: list[str] = []

        def look(check: object, exercise: str, *compared: object) -> object:
            self.checks.append(f"{exercise}/{check.id}")  # type: ignore[attr-defined]
            return examine(check, exercise, *compared)  # type: ignore[arg-type]

        judge_anew = regrade._judged_anew

        def note(one: object, workspace: object, path: Path, *more: object) -> object:
            self.anew.append(path.stem)
            return judge_anew(one, workspace, path, *more)  # type: ignore[arg-type]

        monkeypatch.setattr(again, "examine", look)
        monkeypatch.setattr(regrade, "_judged_anew", note)


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
        TOML_FILE, 'relation = "is_positive"', 'public = true\nrelation = "is_positive"',
        {"sums/positive"}),
    "an exercise's title": (TOML_FILE, '"Double a number"', '"Twice"', set()),
    "the title": (TOML_FILE, '"A tiny assignment"', '"A small one"', set()),
    "a bonus": (TOML_FILE, 'defines = ["double"]', 'defines = ["double"]\nstretch = true', set()),
    "a relation": (CHECKS_FILE, "> 0:", "> 0 or seen.number('total') > 0.30000005:",
                   {"sums/positive"}),
    "a mistake's words": ("mistakes/squares.py", "by itself", "by its own self", set()),
    "a mistake's name": ("mistakes/squares.py", "squares the number", "takes a square", set()),
}  # fmt: skip


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
    titled = "title" in what and "exercise" in what
    assert seen.anew == (["student-06"] if titled else [])  # of whom something is told by titles
    if what != "a reason":
        assert outcome(course) != before
    seen.checks.clear()
    assert regraded(course).code == 0 and seen.checks == []
    assert outcome(course) == outcome(fresh)


def test_a_new_mistake_and_one_that_is_gone(course: Path, tmp_path: Path, seen: Seen) -> None:
    mistakes = course / "assignments" / "tiny" / "mistakes"
    (mistakes / "raises.py").write_text(f"# doubles: raises\n# You raise an error.\n{RAISES}\n")
    assert regraded(course).code == 0
    fresh = anew(course, tmp_path / "one")
    assert outcome(course) == outcome(fresh) and (seen.checks, seen.anew) == ([], [])
    assert b"You raise an error." in outcome(course)["student-05.html"]
    (mistakes / "squares.py").unlink()
    assert regraded(course).code == 0
    assert outcome(course) == outcome(anew(course, tmp_path / "two"))
    assert b"by itself" not in outcome(course)["student-02.html"]


def test_a_check_that_asks_nothing_new_comes_and_goes(course: Path, tmp_path: Path) -> None:
    toml = course / "assignments" / "tiny" / TOML_FILE
    more = ('[[exercise.check]]\nid = "again"\nkind = "value"\ntitle = "`total` once more"\n'
            'points = 1\nname = "total"\n'
            'tolerance = { rtol = 1e-2, atol = 0, why = "room for one rounding" }\n\n'
            '[[exercise]]\nid = "doubles"')  # fmt: skip
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
        if path.is_file() and "judged" not in path.parts and "grades.db" not in path.name
    }


def judged(course: Path, lent: Lent) -> regrade.JudgedAgain:
    """The class judged again, with nothing written."""
    workspace = Workspace(course / "out")
    loaded = load(course / "assignments" / "tiny")
    offer = prepare(loaded)
    with classroom.box_for(loaded, offer, require="weak") as box:
        setting = classroom.make_setting(
            loaded, offer, box, seed=7, draw=True, evidence=workspace.evidence
        )
        return regrade.judged_again(
            setting, workspace, Local(1), workers=1, report=lambda what, total: None,
            done=lambda part: None,
        )  # fmt: skip


def test_grades_are_known_before_anything_is_written(course: Path, lent: Lent) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")
    before, rows = tree(course / "out"), outcome(course)
    again_ = judged(course, lent)
    assert tree(course / "out") == before and outcome(course) == rows
    moved = {g.student for g in again_.grades if g.score != again_.before[g.student].score}
    assert moved == {"student-03"}
    assert {again_.grades[index].student for index in again_.changed} == moved
    regrade.write(
        again_, workers=1, command=["regrade"], report=lambda what, total: None,
        done=lambda part: None,
    )  # fmt: skip
    with GradeStore(again_.where) as store:
        assert {g.student: g.score for g in store.in_order("tiny")}["student-03"] == 7000
    assert outcome(course) != rows


def test_only_what_has_changed_is_written(course: Path) -> None:
    edit(course / "assignments" / "tiny" / TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")
    times = {path: path.stat().st_mtime_ns for path in (course / "out").rglob("student-*.*")
             if "judged" not in path.parts}  # fmt: skip
    assert regraded(course).code == 0
    later = {path: path.stat().st_mtime_ns for path in times}
    assert {path.stem for path in times if later[path] != times[path]} == {"student-03"}
    with GradeStore(course / "out" / "grades.db") as store:
        assert len(store.runs()) == 2
        told = {student: len(store.history(student, assignment="tiny"))
                for student in ("student-01", "student-03")}  # fmt: skip
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


@pytest.mark.parametrize("at", ["write_student", "write_class", "_keep_marks"])
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


def memories(course: Path) -> list[Path]:
    return sorted((course / "out" / "evidence" / "judged").glob("*.judged"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGE = {
    "gone": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "cut": cut,
    "a bit of it is flipped": flipped,
    "a word of it is another": lambda path: path.write_bytes(
        path.read_bytes().replace(b"status\xa6failed", b"status\xa6passed")
    ),
    "something else": lambda path: path.write_bytes(b"x" * 5000),
}


@pytest.mark.parametrize("how", DAMAGE)
@pytest.mark.parametrize("which", ["a student", "the class"])
def test_damage_to_what_is_remembered_costs_nothing_but_time(
    course: Path, tmp_path: Path, how: str, which: str
) -> None:
    fresh = outcome(course)
    files = memories(course)
    assert len(files) == 7
    DAMAGE[how](files[1] if which == "a student" else files[0].with_name("class.written"))
    assert regraded(course).code == 0
    assert outcome(course) == fresh


def test_what_is_remembered_of_one_student_is_no_other_s(course: Path, seen: Seen) -> None:
    fresh = outcome(course)
    first, second = memories(course)[:2]
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    assert regraded(course).code == 0
    assert outcome(course) == fresh and sorted(seen.anew) == ["student-01", "student-02"]


def test_what_is_kept_of_a_hand_in_counts_not_its_name(course: Path, seen: Seen) -> None:
    """The cells of another student, whose evidence is there."""
    folder = course / "out" / "submissions"
    theirs = msgspec.msgpack.decode((folder / "student-02.cells").read_bytes(), type=Kept)
    mine = msgspec.structs.replace(theirs, student="student-01")
    (folder / "student-01.cells").write_bytes(msgspec.msgpack.encode(mine))
    assert regraded(course).code == 0
    result = json.loads((course / "out" / "results" / "student-01.json").read_bytes())
    assert result["score"] == 4 and seen.anew == ["student-01"]


def test_a_new_version_of_the_grader_judges_everything_anew(
    course: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = outcome(course)
    monkeypatch.setattr(basis, "code_digest", lambda: b"another version")
    assert regraded(course).code == 0
    assert outcome(course) == fresh and len(seen.anew) == 7


def test_the_code_that_judges_and_all_packages_are_in_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "value.py").write_text("a = 1")
    monkeypatch.setattr(basis, "PACKAGE", tmp_path)
    before = basis.code_digest()
    assert basis.code_digest() == before
    (tmp_path / "checks" / "value.py").write_text("a = 2")
    other = basis.code_digest()
    monkeypatch.setattr(basis, "distributions", lambda: [])
    assert len({before, other, basis.code_digest()}) == 3


def test_evidence_that_is_gone_or_damaged_is_not_judged_by_memory(course: Path) -> None:
    before = outcome(course)
    workspace = Workspace(course / "out")
    memory = read_memory(workspace, "student-01")
    assert memory is not None and memory.parts[0] is not None
    path = EvidenceFolder(workspace.evidence).path(memory.parts[0].tries[0].shelves[0].key)
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


# ---------------------------------------------------------------- single records of a run


def test_a_record_is_read_without_the_rest_and_damage_to_it_is_seen(course: Path) -> None:
    store = EvidenceFolder(course / "out" / "evidence")
    for path in (course / "out" / "evidence").rglob("*.evidence"):
        run, shelf = store.load(path.stem), shelve(store, path.stem)
        assert run is not None and shelf is not None
        part = shelved_run(store, (shelf,))
        assert part is not None and part.with_outputs().cells == run.cells
        assert [part.probe(probe.id) for probe in run.probes] == list(run.probes)
        assert part.probe("nobody asked") is None
        silent = [(cell.number, cell.stop, cell.spent) for cell in run.cells]
        assert [(cell.number, cell.stop, cell.spent) for cell in part.cells] == silent
    status, data = path.stat(), bytearray(path.read_bytes())
    place = next(iter(shelf.probes.values()))
    data[place.at + place.size - 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(Damaged):
        part.probe(run.probes[0].id)


def test_a_run_without_time_is_only_understood_as_a_whole(course: Path) -> None:
    store = EvidenceFolder(course / "out" / "evidence")
    key = next((course / "out" / "evidence").rglob("*.evidence")).stem
    run = store.load(key)
    assert run is not None
    first = msgspec.structs.replace(run.probes[0], stop=Stop("budget", "out of time"), claim=None)
    for probes in ((first, *run.probes[1:]), (*run.probes, run.probes[0])):
        store.save(key, msgspec.structs.replace(run, probes=probes))
        assert shelve(store, key) is None
    store.save(key, run)
    assert shelve(store, key) is not None and shelve(store, "0" * 64) is None


# ---------------------------------------------------------------- forked workers


def said(bad: Exception) -> bytes:
    return regrade._failure(bad)


def test_forked_workers_do_every_item_once() -> None:
    for workers in (1, 2, 5):
        results = Forked(workers).map(
            lambda n: str(n).encode() * 100_000, range(7), failed=said, again=regrade._error
        )
        assert dict(results) == {n: str(n).encode() * 100_000 for n in range(7)}
    assert list(Forked(2).map(lambda n: b"", [], failed=said, again=regrade._error)) == []


@pytest.mark.parametrize("bad", [StoreError("full"), UsageError("no"), SpecError(["a", "b"])])
def test_an_error_of_ours_comes_out_of_a_worker_as_it_is(bad: Exception) -> None:
    def work(number: int) -> bytes:
        if number == 3:
            raise bad
        return b""

    with pytest.raises(type(bad), match=str(bad)):
        list(Forked(2).map(work, range(9), failed=said, again=regrade._error))


def test_a_worker_that_is_killed_is_told_and_nothing_is_written(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(number: int) -> bytes:
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return b"done"

    with pytest.raises(WorkerLost):
        list(Forked(2).map(work, range(9), failed=said, again=regrade._error))
    before = outcome(course)
    edit(course / "assignments" / "tiny" / TOML_FILE, "rtol = 1e-6", "rtol = 1e-2")
    monkeypatch.setattr(regrade, "_recalled", lambda *all_: work(3))
    ran = regraded(course, 2)
    assert ran.code == 1 and "--workers 1" in ran.err
    assert outcome(course) == before


# ---------------------------------------------------------------- the measured class


def test_the_class_that_is_measured_differs_in_a_comment_alone(course: Path) -> None:
    submission = read(course / "class" / "student-01.ipynb")
    one, other = with_comment(submission, 1), with_comment(submission, 2)
    assert one.cells != other.cells and one.cells[1:] == submission.cells[1:]
    assert one.cells[0].source.startswith(submission.cells[0].source + "\n#")
    folder = course / "assignments" / "tiny"
    edit(folder / TOML_FILE, "{ rtol = 1e-6, atol = 1e-6, why", "{ rtol = 1e-6, why")
    with pytest.raises(SpecError, match="has no line"):
        change_tolerance(folder, number=0, factor=2)
