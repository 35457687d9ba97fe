"""Seeds of classes to come: each serves one class, is nobody else's, and costs a bounded space."""

from __future__ import annotations

import json
import os
import shutil
import site
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.classroom import seed_pool
from autograder.classroom.boxes import box_for
from autograder.classroom.results_folder import SEED_BITS
from autograder.classroom.seed_pool import SEED, SeedPool, pool_of
from autograder.errors import StoreError
from autograder.evidence.store import EvidenceFolder, key_of, versions
from autograder.sandbox import lazy
from tests.support.conformance.kind import run as run_cell
from tests.support.in_process import Lent, done
from tests.support.made_run import JOB, RUN
from tests.support.tiny_course import (
    DOUBLES,
    SQUARES,
    SUMS,
    notebook,
    write_assignment,
    write_class,
)

KEY = key_of(JOB)
OTHER_USER = 12345


def with_evidence(seed: int, folder: Path) -> dict[str, tuple[str, ...]]:
    EvidenceFolder(folder).save(KEY, RUN)
    return {"m": (KEY,)}


@pytest.fixture
def pool(tmp_path: Path) -> SeedPool:
    return SeedPool(tmp_path / "seeds" / "tiny-1", "0123456789abcdef")


@pytest.fixture
def store(tmp_path: Path) -> EvidenceFolder:
    return EvidenceFolder(tmp_path / "class")


def test_a_seed_serves_one_class_with_its_evidence(pool: SeedPool, store: EvidenceFolder) -> None:
    assert pool.take(store) is None  # nothing is there yet
    drawn: list[int] = []
    for _ in range(3):
        pool.add(lambda seed, folder: (drawn.append(seed), with_evidence(seed, folder))[-1])
    assert len(set(drawn)) == 3 and all(0 <= seed < 2**SEED_BITS for seed in drawn)
    with ThreadPoolExecutor(8) as graders:
        taken = [one for one in graders.map(lambda _: pool.take(store), range(8)) if one]
    assert sorted(one.seed for one in taken) == sorted(drawn)
    assert all(one.mistakes == {"m": (KEY,)} for one in taken)
    assert store.load(KEY) == RUN
    assert list(pool.folder.iterdir()) == []


def planted(folder: Path) -> None:
    os.chown(folder, OTHER_USER, OTHER_USER)


def linked(folder: Path) -> None:
    shutil.copytree(folder, folder.parents[2] / "elsewhere")
    shutil.rmtree(folder)
    (folder.parents[2] / "elsewhere").chmod(0o700)
    folder.symlink_to(folder.parents[2] / "elsewhere")


ABSENT: dict[str, Callable[[Path], object]] = {
    "others may read it": lambda folder: folder.chmod(0o750),
    "others may read all of the assignment's": lambda folder: folder.parent.chmod(0o755),
    "others may write into the cache": lambda folder: folder.parents[1].chmod(0o777),
    "another user's": planted,
    "a link": linked,
    "of another version": lambda folder: folder.rename(folder.with_name("fedcba9876543210-1")),
    "no JSON": lambda folder: (folder / SEED).write_bytes(b'{"format": "autogr'),
    "no seed of ours": lambda folder: (folder / SEED).write_text(
        '{"format": "autograder-seed/1", "seed": -1}'
    ),
}


@pytest.mark.parametrize("what", ABSENT)
def test_what_cannot_be_trusted_counts_as_absent(
    pool: SeedPool, store: EvidenceFolder, what: str
) -> None:
    if what == "another user's" and os.geteuid():
        pytest.skip("only root can give files away")
    pool.add(with_evidence)
    (folder,) = pool.ready()
    ABSENT[what](folder)
    assert pool.take(store) is None
    pool.add(with_evidence)  # it stands in nobody's way
    assert pool.take(store) is not None


def test_a_seed_that_would_stay_is_not_taken(
    pool: SeedPool, store: EvidenceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool.add(with_evidence)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "rename", refuse)
    assert pool.take(store) is None


def test_damaged_evidence_is_left_and_replaces_nothing(
    pool: SeedPool, store: EvidenceFolder
) -> None:
    for kept in (None, RUN):
        if kept is not None:
            store.save(KEY, kept)
        pool.add(with_evidence)
        (file,) = pool.folder.rglob("*.evidence")
        file.write_bytes(file.read_bytes()[:-1])
        assert pool.take(store) is not None and store.load(KEY) == kept


def test_nothing_is_open_to_others_and_nothing_unfinished_stays(pool: SeedPool) -> None:
    modes: list[int] = []

    def fail(seed: int, folder: Path) -> dict[str, tuple[str, ...]]:
        modes.append(folder.stat().st_mode & 0o777)
        raise ZeroDivisionError

    before = os.umask(0)
    try:
        pool.add(with_evidence)
        with pytest.raises(ZeroDivisionError):
            pool.add(fail)
    finally:
        os.umask(before)
    (ready,) = pool.folder.iterdir()
    modes += [path.stat().st_mode & 0o777 for path in (ready, *ready.parents[:2])]
    assert modes == [0o700] * 4


def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("a file")
    with pytest.raises(StoreError, match="cannot be written"):
        SeedPool(tmp_path / "seeds" / "tiny-1", "0").add(with_evidence)


def test_the_space_is_bounded(pool: SeedPool, monkeypatch: pytest.MonkeyPatch) -> None:
    old = SeedPool(pool.folder, "another")
    neighbour = SeedPool(pool.folder.with_name("other-1"), "0")
    for one in (old, neighbour):
        one.add(with_evidence)
    now = time.time()
    for name, age in (("killed", 2 * seed_pool.LEFT_OVER_S), ("at-work", 10.0)):
        left = pool.folder / f"{seed_pool.UNFINISHED}{name}"
        left.mkdir()
        os.utime(left, (now - age, now - age))
    pool.add(with_evidence)
    assert old.ready() == [] and len(neighbour.ready()) == len(pool.ready()) == 1
    assert [p.name for p in pool.folder.glob(".*")] == [f"{seed_pool.UNFINISHED}at-work"]

    monkeypatch.setattr(seed_pool, "MOST_MB", 3)

    def large(seed: int, folder: Path) -> dict[str, tuple[str, ...]]:
        (folder / "much").write_bytes(bytes(2**20 + 2**19))
        os.utime(folder, (now + len(pool.ready()), now + len(pool.ready())))
        return {}

    for _ in range(3):
        pool.add(large)
    assert neighbour.ready() == [] and len(pool.ready()) == 1  # the newest; two are above 3 MB


def test_a_seed_fits_one_version_of_what_its_evidence_depends_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_assignment(tmp_path)

    def digest() -> str:
        loaded = load(folder)
        return pool_of(loaded, prepare(loaded)).digest

    found = [digest(), digest()]
    for name in ("assignment.toml", "inputs.py", "solution.py", "mistakes/squares.py"):
        (folder / name).write_text((folder / name).read_text() + "\n")
        found.append(digest())
    monkeypatch.setattr(seed_pool, "versions", lambda: {**versions(), "torch": "0"})
    found.append(digest())
    assert found[0] == found[1] and len(set(found)) == len(found) - 1


# ---------------------------------------------------------------- the box, and the commands


@pytest.fixture
def among_packages() -> Iterator[Path]:
    """A folder where every box shows what is there."""
    folder = Path(tempfile.mkdtemp(dir=site.getsitepackages()[0]))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_student_code_cannot_read_the_seeds(
    among_packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(among_packages))
    loaded = load(write_assignment(tmp_path))
    offer = prepare(loaded)
    shown = among_packages / "shown.txt"
    shown.write_text("in sight")
    with box_for(loaded, offer, require="weak") as box:
        if "namespaces" not in box.box().isolation.layers:
            pytest.skip("only a private root covers a folder among the packages")
        pool = pool_of(loaded, offer)
        pool.add(with_evidence)  # after the box has started
        (seed,) = pool.folder.rglob(SEED)
        for folder in [path for path in seed.parents if among_packages in path.parents]:
            folder.chmod(0o755)  # closed by the box, not by its mode
        child = box.box().spawn(loaded.spec.limits)  # type: ignore[arg-type]
        try:
            said = run_cell(
                child,
                f"import os\nseen = open({str(shown)!r}).read(), os.path.exists({str(seed)!r})\n"
                f"raise LookupError(*seen, os.listdir({str(pool.folder.parent)!r}))",
            )
        finally:
            child.end()
    assert said.text == "LookupError: ('in sight', False, [])"


@pytest.mark.slow
def test_a_class_takes_a_prepared_seed_and_only_compares(
    lent_box: Lent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    ran: list[object] = []
    run = lazy.run
    monkeypatch.setattr(lazy, "run", lambda job, *a, **k: (ran.append(job), run(job, *a, **k))[1])
    assignment = write_assignment(tmp_path)
    right = write_class(tmp_path / "right", {"a.ipynb": notebook(SUMS, DOUBLES)})
    wrong = write_class(tmp_path / "wrong", {"a.ipynb": notebook(SUMS, SQUARES)})

    def grade(folder: Path, out: str) -> tuple[int, int]:
        """The seed, and how much was run (what is wrong also with small calls and edits)."""
        ran.clear()
        done("grade", assignment, folder, "--out", tmp_path / out)
        return json.loads((tmp_path / out / "run.json").read_bytes())["seed"], len(ran)

    for _ in range(2):  # the second time they are there
        assert "ready for 2 new classes" in done("prepare", assignment, "--classes", 2).out
        assert len(ran) == 4  # the solution and the mistake, for each
    seeds = [json.loads(path.read_bytes())["seed"] for path in (tmp_path / "cache").rglob(SEED)]
    first = grade(right, "first")
    assert first[0] in seeds and first[1] == 2
    assert grade(right, "first") == (first[0], 0)  # the same class takes no other seed
    second = grade(wrong, "second")
    assert {first[0], second[0]} == set(seeds) and second[1] == 4
    result = json.loads((tmp_path / "second" / "results" / "a.json").read_bytes())
    causes = [check["diagnosis"] for check in result["exercises"][1]["checks"]]
    assert any("multiply the number by itself" in text for text in causes)
    third = grade(right, "third")
    assert third[0] not in seeds and third[1] == 3  # with the known mistake

    done("prepare", assignment)
    for file in (tmp_path / "cache").rglob("*.evidence"):
        file.write_bytes(file.read_bytes()[:-1])
    assert grade(wrong, "damaged")[1] == 5  # the mistake is run when it is needed
