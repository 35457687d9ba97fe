"""Kills grade, regrade and override at random moments, and looks whether anything was lost.

``python -m tests.support.killed --times 50`` tries it on SQLite and on PostgreSQL. After every kill
the database must open, hold every grade and decision that it held before, and every one that a
command had told of. In the end the commands are let through, and all must be as if nothing
had happened.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from autograder.gradebook.store import GradeStore
from tests.support import postgres
from tests.support.cases import read_files, write_files
from tests.support.class_of_sixty.klass import tiny
from tests.support.in_process import done

COURSE, SOLUTION = read_files("courses/who.txt").values()
STUDENTS = 12
OPTIONS = "--seed 1 --no-figures --workers 2".split()


def course(points: int) -> dict[str, str]:
    """Its files; its one check is worth so much."""
    toml = COURSE.replace("POINTS", str(points))
    return {"assignment.toml": toml, "solution.py": SOLUTION}


@dataclass
class Place:
    """A small course, a class, and where its grades go."""

    folder: Path
    url: str
    seen: set[tuple[object, ...]] = field(default_factory=set)
    told: int = 0

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def where(self) -> Path | str:
        return self.url or self.out / "grades.db"

    def write(self, points: int) -> None:
        """The course and the class."""
        names = [f"{number:03d}" for number in range(STUDENTS)]
        hand_ins = {f"{name}.ipynb": tiny(name, 1 + n % 2) for n, name in enumerate(names)}
        write_files(self.folder / "assignments" / "small", course(points))
        write_files(self.folder / "hand-ins", hand_ins)

    def command(self, kind: str) -> list[str]:
        """What starts a process of it."""
        return [sys.executable, "-m", "autograder", *self.words(kind)]

    def words(self, kind: str) -> list[str]:
        """A command line of ours."""
        course, out = str(self.folder / "assignments" / "small"), str(self.out)
        words = {
            "grade": ["grade", course, str(self.folder / "hand-ins"), "--out", out, *OPTIONS],
            "regrade": ["regrade", out, "--yes"],
            "override": ["gradebook", "override", out, "003", str(self.told + 1), "--why", "x"],
        }[kind]
        more = ["--gradebook", self.url] if self.url else []
        return [*words, *more]

    def rows(self) -> set[tuple[object, ...]]:
        """Everything that the database holds; raises when it is damaged."""
        if isinstance(self.where, Path) and not self.where.exists():
            return set()
        with GradeStore(self.where) as store:
            grades = {
                (student, past.run.id, past.grade.status, past.grade.score)
                for student in (f"{n:03d}" for n in range(STUDENTS))
                for past in store.history(student, assignment="small")
            }
            decided = {(d.id, d.student, d.amount) for d in store.decisions("small")}
        if isinstance(self.where, Path):
            with closing(sqlite3.connect(self.where)) as raw:
                assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return grades | decided


def run_for(place: Place, kind: str, seconds: float | None) -> str:
    """Run a command, kill it after some time if one is given; what it had said until then."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            place.command(kind),
            stdout=said,
            stderr=subprocess.STDOUT,
            cwd=place.folder,
            start_new_session=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        said.seek(0)
        text = said.read().decode(errors="replace")
    if seconds is None and process.returncode != 0:
        raise AssertionError(f"{kind}: status {process.returncode}: {text}")
    return text


def trial(place: Place, kind: str, seconds: float | None) -> None:
    """One command, killed or not; raises ``AssertionError`` when something is lost."""
    if kind == "regrade":
        place.write(1 + (place.told + len(place.seen)) % 5)
    said = run_for(place, kind, seconds)
    now = place.rows()
    assert place.seen <= now, f"lost: {sorted(map(str, place.seen - now))}"
    if kind == "override" and "recorded as" in said:
        amounts = [row[2] for row in now if len(row) == 3]
        place.told += 1
        assert place.told * 1000 in amounts, "a decision that was told of is not there"
    place.seen = now


def final(place: Place) -> str:
    """What the class comes to when everything is let through, here in this process."""
    place.write(4)
    target = place.folder / "all.json"
    more = ["--gradebook", place.url] if place.url else []
    for words in (
        place.words("grade"),
        place.words("regrade"),
        ["gradebook", "override", str(place.out), "003", "7", "--why", "last", *more],
        ["export", "json", str(place.out), "--out", str(target), *more],
    ):
        done(*words)
    shown = json.loads(target.read_text())
    for one in shown["standings"]:
        one.pop("note")
    return json.dumps(shown["standings"], sort_keys=True)


def durations(place: Place) -> dict[str, float]:
    """How long each command takes when it is let through, in seconds."""
    found = {}
    for kind in ("grade", "regrade", "override"):
        started = time.monotonic()
        trial(place, kind, None)
        found[kind] = time.monotonic() - started
    return found


def killed(folder: Path, url: str, *, times: int, seed: int) -> Iterator[str]:
    """Kills at ``times`` random moments; yields a line for each. Raises ``AssertionError``."""
    draw = random.Random(seed)
    place = Place(folder, url)
    place.write(1)
    took = durations(place)
    undisturbed = final(place)
    for number in range(times):
        kind = draw.choice(("grade", "regrade", "override"))
        if kind == "grade":  # anew: nothing is stored yet
            shutil.rmtree(place.out / "evidence", ignore_errors=True)
        seconds = draw.uniform(0.2, took[kind])
        before = len(place.seen)
        trial(place, kind, seconds)
        more = len(place.seen) - before
        yield f"{number + 1:3d}  {kind:8s} killed after {seconds:5.2f} s, {more} rows more"
    assert final(place) == undisturbed, "the class is not what it is without kills"
    yield f"{times} kills: nothing lost, the end is that of an undisturbed run"


def left_behind(pid: int, family: Sequence[psutil.Process]) -> list[object]:
    """Processes, control groups and folders of a grader that is gone, after a moment."""
    _, alive = psutil.wait_procs(family, timeout=60)
    groups = Path("/sys/fs/cgroup").rglob(f"autograder-{pid}-*")
    return [*alive, *groups, *Path(tempfile.gettempdir()).glob(f"autograder-box-{pid}-*")]


def killed_inside(folder: Path, *, times: int, seed: int) -> Iterator[str]:
    """Kills children and zygotes of ``times`` graders at random moments. The batch goes on, and
    the gradebook is the undisturbed one. Raises ``AssertionError``."""
    draw = random.Random(seed)
    place = Place(folder, "")
    place.write(1)
    run_for(place, "grade", None)
    undisturbed = (place.out / "gradebook.csv").read_bytes()
    for number in range(times):
        shutil.rmtree(place.out)
        process = psutil.Popen(
            place.command("grade"),
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        hit: Counter[str] = Counter()
        family: set[psutil.Process] = set()
        while process.poll() is None:
            with contextlib.suppress(psutil.Error):
                found = process.children(recursive=True)
                family |= set(found)
                graded = len(list((place.out / "results").glob("*.json")))
                if graded and len(found) > 2 and draw.random() < 0.1 and sum(hit.values()) < 4:
                    one = draw.choice(found[1:])  # launcher, zygote, children
                    kind = "zygote" if one.pid == found[1].pid else "child"
                    one.send_signal(signal.SIGKILL)
                    hit[kind] += 1
            time.sleep(0.01)
        assert process.returncode == 0, f"status {process.returncode}"
        assert (place.out / "gradebook.csv").read_bytes() == undisturbed, "another gradebook"
        assert (left := left_behind(process.pid, list(family))) == [], left
        yield f"{number + 1:3d}  killed {dict(hit)}: the same gradebook, nothing left"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", type=int, default=5, help="graders whose children are killed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for line in killed_inside(Path(folder), times=asked.inside, seed=asked.seed):
            print(line, flush=True)
    for kind in ("SQLite", "PostgreSQL"):
        if kind == "PostgreSQL" and (reason := postgres.lacking()):
            print(f"PostgreSQL: left out ({reason})")
            continue
        with (
            tempfile.TemporaryDirectory() as folder,
            postgres.server() if kind == "PostgreSQL" else nullcontext("") as url,
        ):
            print(kind)
            for line in killed(Path(folder), url, times=asked.times, seed=asked.seed):
                print(line, flush=True)


if __name__ == "__main__":
    main()
