"""Grading as files arrive: when files are taken to be there, and the command that does it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from autograder.commands.watch_files import Looks, changes_under, looks_of
from tests.support.class_of_sixty.klass import tiny
from tests.support.killed import Place


def looks(*states: str) -> list[Looks]:
    return [frozenset({(letter, 0, 0) for letter in state}) for state in states]


@pytest.mark.parametrize(
    ("states", "times"),
    [
        (("", "", "", ""), 0),
        (("", "a", "a", "a"), 1),
        (("", "a", "ab", "ab"), 1),  # still being written
        (("", "a", "a", "b", "b"), 2),
        (("", "a", "", "", ""), 0),  # as it was
        (("a", "", "", ""), 1),
    ],
)
def test_a_change_counts_when_it_has_come_to_rest(states: tuple[str, ...], times: int) -> None:
    seen = iter(looks(*states))

    class Over(Exception):
        pass

    def look(_: object) -> Looks:
        try:
            return next(seen)
        except StopIteration:
            raise Over from None

    found = 0
    with pytest.raises(Over):
        for _ in changes_under([], every_s=0, sleep=lambda _: None, look=look):
            found += 1
    assert found == times


def test_what_came_while_the_last_ones_were_taken_is_not_missed() -> None:
    seen = iter(looks("ab", "ab"))
    waiting = changes_under(
        [], every_s=0, since=looks("a")[0], sleep=lambda _: None, look=lambda _: next(seen)
    )
    assert next(waiting) is None


def test_files_are_known_by_name_time_and_size(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    file = tmp_path / "a" / "b.ipynb"
    before = looks_of([tmp_path])
    file.write_text("1")
    first = looks_of([tmp_path])
    os.utime(file, ns=(1, 1))
    assert len({before, first, looks_of([tmp_path])}) == 3
    assert looks_of([file]) == looks_of([tmp_path])
    assert looks_of([tmp_path / "nowhere"]) == frozenset()
    (tmp_path / "a" / "gone").symlink_to(tmp_path / "nowhere")
    assert len(looks_of([tmp_path])) == 2
    assert list(islice(changes_under([tmp_path], every_s=0), 0)) == []


@pytest.mark.slow
def test_a_class_is_graded_as_its_files_come(tmp_path: Path) -> None:
    place = Place(tmp_path, "")
    place.write(1)
    for path in (tmp_path / "hand-ins").glob("*.ipynb"):
        path.unlink()
    (tmp_path / "hand-ins" / "001.ipynb").write_bytes(tiny("001", 1))
    process = subprocess.Popen(
        [*place.command("grade"), "--watch"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        rows_after(place, 1)
        (tmp_path / "hand-ins" / "002.ipynb").write_bytes(tiny("002", 2))
        assert b"002" in rows_after(place, 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 0
    finally:
        process.kill()
        process.wait()


def rows_after(place: Place, count: int) -> bytes:
    """gradebook.csv once it has so many students."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        page = place.out / "gradebook.csv"
        rows = page.read_bytes() if page.exists() else b""
        if rows.count(b"\n") == count + 1:
            return rows
        time.sleep(0.2)
    raise AssertionError(f"{sys.executable}: no {count} students in five minutes")
