"""What is kept: evidence by digest, files whole or not at all, folders to resume from, engines."""

from __future__ import annotations

import ast
import errno
import hashlib
import os
import random
import re
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.assignment.load import load, make_cases
from autograder.classroom.reference import NothingRuns
from autograder.classroom.regrade import basis
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder, RunFile
from autograder.errors import SandboxError, StoreError, SubmissionError, UsageError
from autograder.evidence import store as evidence
from autograder.evidence.records import ProbeRun, TimeSpent
from autograder.evidence.store import EvidenceFolder, key_of, versions
from autograder.evidence.stored_run import AnswerPiece, compressed, restored
from autograder.execution.engines.base import Engine
from autograder.execution.engines.local import Inline, Local
from autograder.files import write_atomic
from autograder.grading.context import GradingContext
from autograder.grading.job import evidence as evidence_of
from autograder.grading.job import make_job
from autograder.judging.checks.registry import probes
from autograder.notebook.submission import NotebookCell, Submission
from autograder.wire.messages import (
    Cell,
    Job,
    Limits,
    Outcome,
    Probe,
    Read,
)
from autograder.wire.values import Array
from tests.support import tiny_course
from tests.support.device_jobs import Runs, setting_of
from tests.support.made_run import JOB, RUN, SPENT
from tests.support.tiny_course import edit, write_assignment

# ---------------------------------------------------------------- keys


def test_equal_jobs_have_equal_keys() -> None:
    assert key_of(JOB) == key_of(msgspec.msgpack.decode(msgspec.msgpack.encode(JOB), type=Job))
    assert len(key_of(JOB)) == 64


OTHERS: dict[str, dict[str, Any]] = {
    "source": {"cells": (Cell(1, "x = 2", "e"),)},
    "owner of a cell": {"cells": (Cell(1, "x = 1", ""),)},
    "number of a cell": {"cells": (Cell(2, "x = 1", "e"),)},
    "one more cell": {"cells": (*JOB.cells, Cell(2, ""))},
    "where it is kept": {"keep_after": (("e", 0),)},
    "what is asked": {"probes": (Probe("p", "e", Read("e", "y")),)},
    "seed": {"seed": 8},
    "limits": {"limits": Limits(cell_cpu_s=19)},
    "drawing": {"draw": False},
    "pretrained models": {"models": "1234"},
}


@pytest.mark.parametrize("what", OTHERS)
def test_whatever_enters_the_box_changes_the_key(what: str) -> None:
    assert key_of(msgspec.structs.replace(JOB, **OTHERS[what])) != key_of(JOB)


@pytest.mark.parametrize("name", "python torch numpy matplotlib ipython box pinned".split())
def test_another_version_of_what_runs_it_changes_the_key(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = key_of(JOB)
    other = {**versions(), name: "0"}
    monkeypatch.setattr(evidence, "versions", lambda: other)
    assert key_of(JOB) != before


def test_the_box_version_follows_the_code_that_runs_in_it_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    running = ("wire/a", "runner/a", "sandbox/a", "evidence/records", "evidence/stops")
    for name in (*running, "judge", "sandbox/selftest"):
        (tmp_path / f"{name}.py").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    monkeypatch.setattr(evidence, "PACKAGE", tmp_path)
    found = [evidence._source_digest()]
    (tmp_path / "runner" / "a.py~").write_text("an editor's copy")
    (tmp_path / "runner" / "__pycache__").mkdir()
    (tmp_path / "wire" / "a.py").write_text("    # a comment\nx = 1\n")
    for name in ("judge", "sandbox/selftest"):  # judging runs on what is stored
        (tmp_path / f"{name}.py").write_text("x = 2\n")
    assert evidence._source_digest() == found[0]
    for name in running:
        (tmp_path / f"{name}.py").write_text("x = 2\n")
        found.append(evidence._source_digest())
    assert len(set(found)) == 1 + len(running)


def test_no_text_in_what_is_digested_looks_like_a_comment() -> None:
    comment = re.compile(r"^[ \t]*#", re.MULTILINE)
    for path in set(evidence.sources("wire", "runner", "sandbox", *basis.JUDGING)):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if comment.search(source) else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
                text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
                assert not comment.search(text.partition("\n")[2]), path


SUBMISSION = Submission("a.py", "0", (NotebookCell(1, "code", "total = 3", "sums"),))


def context_of(assignment: Path, seed: int = 7) -> GradingContext:
    loaded = load(assignment)
    store = EvidenceFolder(assignment / "evidence")
    return GradingContext(loaded, make_cases(loaded, seed), seed, False, NothingRuns(), store)


def key_under(context: GradingContext) -> str:
    return key_of(make_job(context, SUBMISSION)[0])


ASKED = {
    "inputs": ("inputs.py", "10**9", "10**8"),
    "a limit": ("assignment.toml", "cell_cpu_s = 5", "cell_cpu_s = 6"),
    "a name": ("assignment.toml", 'name = "total"', 'name = "sum"'),
}


def test_what_is_asked_makes_evidence_invalid(tmp_path: Path) -> None:
    plain = write_assignment(tmp_path / "plain")
    keys = {key_under(context_of(plain)), key_under(context_of(plain, seed=8))}
    for what, (file, old, new) in ASKED.items():
        folder = write_assignment(tmp_path / what)
        edit(folder / file, old, new)
        keys.add(key_under(context_of(folder)))
    assert len(keys) == 2 + len(ASKED)


def test_probes_of_equal_content_are_asked_once(tmp_path: Path) -> None:
    once, twice = (write_assignment(tmp_path / name) for name in ("once", "twice"))
    (given,) = re.findall(r'\[\[exercise.check\]\]\nid = "given"\n(?:.+\n)+', tiny_course.TOML)
    edit(twice / "assignment.toml", given, f"{given}\n{given.replace('given', 'again')}")
    both = context_of(twice)
    exercise = both.loaded.spec.exercise[1]
    first, again, _ = [{*probes(check, exercise.id, both.cases)} for check in exercise.check]
    assert first >= again > set()
    assert key_under(context_of(once)) == key_under(both)


def test_a_stored_run_is_not_made_again_unless_the_box_was_too_weak(tmp_path: Path) -> None:
    class Stronger(Runs):
        def accepts(self, level: str) -> bool:
            return False

    first, other = Runs(), Stronger()
    made = [evidence_of(setting_of(tmp_path, first, None), JOB) for _ in range(2)]
    assert [fresh for _, fresh in made] == [True, False] and made[0][0] == made[1][0]
    assert len(first.jobs) == 1
    assert evidence_of(setting_of(tmp_path, other, None), JOB) == (made[0][0], True)


def test_a_run_that_failed_through_our_fault_is_not_kept(tmp_path: Path) -> None:
    context = setting_of(tmp_path, Runs("the zygote is gone"), None)
    with pytest.raises(SandboxError, match="zygote"):
        evidence_of(context, JOB)
    assert context.store.load(key_of(JOB)) is None


# ---------------------------------------------------------------- the store


@pytest.fixture
def store(tmp_path: Path) -> EvidenceFolder:
    made = EvidenceFolder(tmp_path / "evidence")
    made.save(key_of(JOB), RUN)
    return made


def test_a_run_comes_back_equal(store: EvidenceFolder) -> None:
    assert store.load(key_of(JOB)) == RUN
    assert store.load("0" * 64) is None
    twice = msgspec.structs.replace(RUN, probes=RUN.probes * 2)
    store.save("0" * 64, twice)
    found = store.open("0" * 64)
    assert found is not None and store.load("0" * 64) == twice
    assert found.probe("p") is twice.probe("p") is None  # two records of one probe are none


def test_a_damaged_file_counts_as_absent_until_it_is_written_again(store: EvidenceFolder) -> None:
    path = store.path(key_of(JOB))
    whole = path.read_bytes()
    inside = whole.index(b"too long")  # a sentence: nothing else would notice
    places = (*range(8), inside, *range(8, len(whole), 23), len(whole) - 1)
    flipped = [whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in places]
    cut = [whole[:size] for size in places]
    for damaged in (*flipped, *cut, whole + b"\0", b"\0" * 900, b"\x91" * 100_000, b"{}"):
        path.write_bytes(damaged)
        assert store.load(key_of(JOB)) is None
    store.save(key_of(JOB), RUN)
    assert store.load(key_of(JOB)) == RUN
    other = key_of(msgspec.structs.replace(JOB, seed=8))
    store.path(other).parent.mkdir(exist_ok=True)
    store.path(other).write_bytes(whole)  # another's
    assert store.load(other) is None


NUMBERS = Array("float32", (9, 500), bytes(n * n % 251 for n in range(18_000)))
LARGE = msgspec.structs.replace(
    RUN, probes=(*RUN.probes, ProbeRun("q", Outcome("returned", NUMBERS), None, SPENT))
)


def answers(store: EvidenceFolder) -> list[Path]:
    return [path for path in store.folder.glob("answers/*/*") if path.is_file()]


def test_a_large_answer_is_stored_once_however_many_runs_gave_it(store: EvidenceFolder) -> None:
    keys = [f"{number:064x}" for number in range(5)]
    for number, key in enumerate(keys):
        later = msgspec.structs.replace(
            LARGE.probes[1], id=f"q{number}", spent=TimeSpent(number, 1)
        )
        run = msgspec.structs.replace(LARGE, probes=(*LARGE.probes, later))
        store.save(key, run)
        assert store.load(key) == run
    (answer,) = answers(store)
    assert answer.stat().st_size < 0.5 * len(NUMBERS.data)
    assert sum(store.path(key).stat().st_size for key in keys) < len(NUMBERS.data)
    assert store.keep_only(keys[1:]) == 2 and answer.is_file() and store.load(keys[1]) is not None
    assert store.keep_only([]) == 4 and not answers(store)


BOMB = zlib.compress(bytes(20 * 2**20))  # in the place of a quarter of an answer of 18 kB
OTHER = Outcome("returned", msgspec.structs.replace(NUMBERS, data=bytes(len(NUMBERS.data))))
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"",
    "cut": lambda whole: whole[:-1],
    "of another size": lambda whole: bytes([1]) + whole[1:],
    "a wrong bit": lambda whole: whole[:99] + bytes([whole[99] ^ 1]) + whole[100:],
    "another's": lambda whole: compressed(msgspec.msgpack.encode(OTHER)),
    "a bomb": lambda whole: len(BOMB).to_bytes(4, "big") + BOMB + whole,
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_run_with_a_damaged_answer_counts_as_absent_until_it_is_made_again(
    store: EvidenceFolder, how: str
) -> None:
    store.save("0" * 64, LARGE)
    (answer,) = answers(store)
    answer.write_bytes(DAMAGE[how](answer.read_bytes()))
    tracemalloc.start()
    try:
        assert store.load("0" * 64) is None
        assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
    finally:
        tracemalloc.stop()
    store.save("1" * 64, LARGE)
    assert store.load("0" * 64) == store.load("1" * 64) == LARGE


def test_every_answer_comes_back_as_it_was() -> None:
    numbers = random.Random(1)
    for size in (0, 1, 2, 3, 4, 5, 7, 99, *(numbers.randrange(20_000) for _ in range(20))):
        noise = numbers.randbytes(size)
        for data in (noise, bytes(size), noise[: size // 2] + bytes(size)):
            piece = AnswerPiece(hashlib.sha256(data).digest(), len(data))
            assert restored(compressed(data), piece) == data


def test_an_answer_that_cannot_be_written_leaves_no_record(
    store: EvidenceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_space)
        with pytest.raises(StoreError, match="cannot be written"):
            store.save("0" * 64, LARGE)
    assert store.load("0" * 64) is None and not answers(store)
    store.save("0" * 64, LARGE)
    assert store.load("0" * 64) == LARGE


def test_evidence_that_cannot_be_opened_is_not_taken_for_absent(store: EvidenceFolder) -> None:
    path = store.path(key_of(JOB))
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="cannot be read"):
        store.load(key_of(JOB))


# ---------------------------------------------------------------- writing files


def left_over(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.suffix == ".tmp")


def test_a_file_is_written_into_folders_that_are_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    write_atomic(path, b"one")
    write_atomic(path, b"two")
    assert path.read_bytes() == b"two" and left_over(path.parent) == []
    (tmp_path / "a file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        write_atomic(tmp_path / "a file" / "file", b"new")


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("where", ["fsync", "open", "replace"])
def test_a_full_disk_leaves_the_old_file_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")
    if where == "replace":
        monkeypatch.setattr(Path, "replace", no_space)
    else:
        monkeypatch.setattr(os, where, no_space)
    with pytest.raises(StoreError, match=r"file: cannot be written \(No space left.*same command"):
        write_atomic(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old" and left_over(tmp_path) == []


def test_nobody_ever_sees_half_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new bytes are on the disk before they get the name."""
    path = tmp_path / "file"
    write_atomic(path, b"old")
    seen = []
    fsync = os.fsync

    def look(fd: int) -> None:
        fsync(fd)
        seen.append((path.read_bytes(), os.fstat(fd).st_size))

    monkeypatch.setattr(os, "fsync", look)
    write_atomic(path, b"x" * 100_000)
    assert seen == [(b"old", 100_000)]


def test_a_link_planted_at_the_temporary_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr("autograder.files.secrets.token_hex", lambda n: "0" * 2 * n)
    (tmp_path / f".{'0' * 16}.tmp").symlink_to(victim)
    with pytest.raises(StoreError):
        write_atomic(tmp_path / "file", b"new")
    assert victim.read_bytes() == b"precious" and not (tmp_path / "file").exists()


def test_a_link_at_the_final_name_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "file").symlink_to(victim)
    write_atomic(tmp_path / "file", b"new")
    assert victim.read_bytes() == b"precious"
    assert (tmp_path / "file").read_bytes() == b"new" and not (tmp_path / "file").is_symlink()


# ---------------------------------------------------------------- the results folder


@pytest.fixture
def workspace(tmp_path: Path) -> ResultsFolder:
    return ResultsFolder(tmp_path / "out")


def begin(workspace: ResultsFolder, *, assignment: str = "tiny", seed: int | None = None) -> int:
    run = RunFile("autograder-run/1", assignment, "/where/tiny", workspace.seed(seed), True)
    return workspace.begin(run).seed


def test_the_seed_of_a_folder_is_kept_until_another_is_given(
    workspace: ResultsFolder, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="run `autograder grade ASSIGNMENT"):
        workspace.open_run()
    first = begin(workspace)
    assert begin(workspace) == begin(workspace) == first
    assert begin(workspace, seed=5) == 5 == begin(workspace)
    assert workspace.open_run().folder == "/where/tiny"
    drawn = {begin(ResultsFolder(tmp_path / str(n))) for n in range(8)}
    assert len(drawn) == 8  # 48 bits: equal ones once in 10^13 runs
    assert min(drawn) >= 0 and max(drawn) < 2**48


def test_a_folder_of_another_assignment_is_refused(workspace: ResultsFolder) -> None:
    begin(workspace, seed=5)
    with pytest.raises(UsageError, match="contains results of 'tiny'; choose another --out"):
        begin(workspace, assignment="other")
    assert workspace.open_run().assignment == "tiny"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "autograder-run/2"}', "\0" * 50])
def test_a_damaged_run_file_is_an_error_not_a_new_seed(workspace: ResultsFolder, text: str) -> None:
    begin(workspace)
    (workspace.folder / "run.json").write_text(text)
    for look in (workspace.open_run, lambda: begin(workspace)):
        with pytest.raises(StoreError, match=r"run\.json: cannot be read.*move it away"):
            look()
    assert (workspace.folder / "run.json").read_text() == text


def test_hand_ins_are_kept_with_their_reasons(workspace: ResultsFolder) -> None:
    rejected = KeptSubmission("student-02", "b.ipynb", None, "b.ipynb: not a notebook")
    accepted = KeptSubmission("student/01", "a.py", SUBMISSION)
    for kept in (rejected, accepted, accepted):
        workspace.keep(kept)
    found = {kept.student: kept for kept in workspace.kept()}
    assert found == {"student-02": rejected, "student/01": accepted}
    assert found["student/01"].read() == SUBMISSION
    with pytest.raises(SubmissionError, match="not a notebook"):
        found["student-02"].read()
    path = workspace.folder / "submissions" / "student-02.cells"
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(StoreError, match=r"student-02\.cells: cannot be read.*grade this"):
        list(workspace.kept())


# ---------------------------------------------------------------- engines

ENGINES: list[Callable[[], Engine]] = [Inline, lambda: Local(1), lambda: Local(3)]


@pytest.mark.parametrize("make", ENGINES, ids=["inline", "one worker", "three workers"])
def test_an_engine_does_every_item_once(make: Callable[[], Engine]) -> None:
    done: list[int] = []
    lock = threading.Lock()

    def work(item: int) -> int:
        with lock:
            done.append(item)
        time.sleep(0.001 * (item % 3))
        return item * item

    pairs = list(make().map(work, range(40)))
    assert sorted(pairs) == [(n, n * n) for n in range(40)]
    assert sorted(done) == list(range(40))
    assert list(make().map(work, [])) == []


@pytest.mark.parametrize("make", ENGINES, ids=["inline", "one worker", "three workers"])
def test_an_exception_comes_out_and_stops_the_rest(make: Callable[[], Engine]) -> None:
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        if item == 2:
            raise UsageError("no")
        return item

    with pytest.raises(UsageError, match="no"):
        list(make().map(work, range(100)))
    assert len(begun) <= 2 + 2 * 3 + 3


def test_workers_work_at_the_same_time() -> None:
    together = threading.Barrier(3, timeout=120)
    assert len(list(Local(3).map(lambda item: together.wait(), range(3)))) == 3


def test_at_most_two_items_per_worker_are_under_way() -> None:
    taken: list[int] = []

    class Items(Sequence[int]):
        def __len__(self) -> int:
            return 50

        def __getitem__(self, index: int) -> int:  # type: ignore[override]
            if index >= len(self):
                raise IndexError
            taken.append(index)
            return index

    for count, _ in enumerate(Local(2).map(lambda item: item, Items()), start=1):
        assert max(taken) + 1 - count < 2 * 2
    assert sorted(taken) == list(range(50))


def test_a_class_that_is_abandoned_ends_soon() -> None:
    done: list[int] = []

    def work(item: int) -> int:
        time.sleep(0.01)
        done.append(item)
        return item

    results: Iterator[tuple[int, int]] = Local(2).map(work, range(10_000))
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(done) <= 2 * 2
