"""What `autograder bench --scale` and `--minutes` conclude, and that a leak shows."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import pytest
from rich.console import Console

from autograder.assignment.load import Loaded, load
from autograder.errors import UsageError
from autograder.tools.bench import endurance
from autograder.tools.bench.endurance import Endurance, Lap, endure
from autograder.tools.bench.measure import BenchOptions, ClassTime
from autograder.tools.bench.scale import Scale, ScaleRound, scale_bench
from autograder.tools.bench.tables_of_scale import endurance_table, scale_table
from tests.support.killed_workers import grown
from tests.support.progress import QUIET

SHORT = BenchOptions("local", workers=1, count=2, rounds=2, figures=0)

LAP = Lap(0.0, 10, 10.0, 1.0, 20, 5, 3, 30, 7, 300.0, 900.0)


def laps(**last: float) -> Endurance:
    """Ten laps of a minute each, all the same but for the last."""
    every = [replace(LAP, at_s=60.0 * number) for number in range(1, 11)]
    every[-1] = replace(every[-1], **last)
    return Endurance("local", 2, tuple(every))


def shown(table: Any, width: int) -> str:
    console = Console(width=width, force_terminal=False)
    with console.capture() as said:
        console.print(table)
    return said.get()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    folder = grown(tmp_path_factory.mktemp("course"), 0)
    return load(folder / "assignments" / "small")


@pytest.mark.parametrize("what", ["descriptors", "threads", "processes", "mounts", "files"])
def test_one_more_of_anything_that_is_counted_is_growth(what: str) -> None:
    assert laps().grown() == {}
    assert laps(**{what: getattr(LAP, what) + 1}).grown() == {what: 1}
    assert laps(**{what: getattr(LAP, what) - 1}).grown() == {}


def test_memory_grows_when_it_is_more_than_noise() -> None:
    assert laps(grader_mb=310.0, children_mb=917.0).grown() == {}
    assert laps(grader_mb=330.0).grown() == {"grader_mb": 30.0}
    assert laps(children_mb=950.0).grown() == {"children_mb": 50.0}


def test_what_is_taken_while_all_is_warmed_up_is_no_growth() -> None:
    found = laps()
    first = replace(found.laps[0], at_s=1.0, descriptors=2, grader_mb=100.0)
    assert replace(found, laps=(first, *found.laps)).grown() == {}


def test_throughput_is_compared_between_the_ends() -> None:
    assert laps().ratio() == 1
    assert laps(seconds=20.0).ratio() == pytest.approx(2 / 3)  # of two laps one took twice as long
    middle = list(laps().laps)
    middle[5] = replace(middle[5], seconds=1000.0)
    assert Endurance("local", 2, tuple(middle)).ratio() == 1


def test_throughput_is_that_of_the_machine_at_the_time() -> None:
    slower = [
        replace(lap, seconds=lap.seconds * (1 + number / 10), yardstick_s=1 + number / 10)
        for number, lap in enumerate(laps().laps)
    ]
    found = Endurance("local", 2, tuple(slower))
    assert found.clocked_ratio() < 0.6 and found.ratio() == pytest.approx(1)
    assert 0.01 < endurance.yardstick_seconds(2) < 60


def test_a_class_that_leaves_a_file_open_shows(
    small: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[TextIO] = []
    begun: list[int] = []

    def leaking(*_: object, first: int) -> ClassTime:
        begun.append(first)
        left.append((tmp_path / "left").open("w"))
        time.sleep(0.02)
        return ClassTime(0.02, 0.02)

    monkeypatch.setattr(endurance, "class_time", leaking)
    monkeypatch.setattr(endurance, "yardstick_seconds", lambda _: 1.0)
    found = endure(small, SHORT, 0.01, QUIET.begin)
    for file in left:
        file.close()
    assert found.grown()["descriptors"] > 1
    assert begun == [2 * number for number in range(len(begun))]  # no class has another's hand-ins
    assert "descriptors by" in shown(endurance_table(found), 100)


@pytest.mark.slow
def test_both_ways_are_measured_on_a_class_of_new_hand_ins(small: Loaded) -> None:
    said: list[str] = []
    found = scale_bench(small, replace(SHORT, count=3), lambda what, _: said.append(what))
    assert len(found.rounds) == 2 and found.count == 3
    assert all(r.here_s > 0 and r.there_s > 0 and r.here_cpu_s > 0 for r in found.rounds)
    assert 0.1 < found.ratio < 10 and found.echoes_per_s == 0
    assert "no cluster" in shown(scale_table(found), 60)
    assert "Grading both ways" in said


def test_ratio_and_rates_are_medians_of_the_rounds() -> None:
    rounds = tuple(ScaleRound(here, there, 1.0, 2.0) for here, there in ((6, 6), (9, 10), (8, 4)))
    found = Scale("dask", 2, 12, 300.0, 3000.0, 5.0, 7.0, 11.0, 100.0, rounds)
    assert found.ratio == 1
    assert found.per_minute("here") == 90 and found.per_minute("there") == 120
    assert found.cpu_ms("here") == pytest.approx(83.33, abs=0.01)
    text = shown(scale_table(found), 60)
    assert "1.00 (0.90 to 2.00)" in text and "10.0 ms each" in text


def test_an_engine_that_is_none_is_told_before_anything_runs(small: Loaded) -> None:
    with pytest.raises(UsageError, match="use local, dask"):
        endure(small, replace(SHORT, engine="cloud"), 1, QUIET.begin)
