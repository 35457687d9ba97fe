"""A resource that workers share: never more than there is, in order, and no part is lost."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder.execution.engines.resources import Shares, processors

SOON = 60.0


class Gauge:
    """How much is taken now, and how much was at most."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.now = self.most = self.uses = 0

    def use(self, shares: Shares, amount: int) -> None:
        with shares.take(amount):
            with self.lock:
                self.now += amount
                self.uses += 1
                self.most = max(self.most, self.now)
            time.sleep(0.002)
            with self.lock:
                self.now -= amount


def test_never_more_than_there_is_and_all_of_it_is_used() -> None:
    gauge, shares = Gauge(), Shares(10)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: gauge.use(shares, 1 + n % 5), range(200)))
    assert gauge.uses == 200 and gauge.now == 0
    assert 5 < gauge.most <= 10


def test_a_large_part_is_served_before_small_ones_that_come_later() -> None:
    shares, order = Shares(2), list[str]()

    def want(name: str, amount: int) -> None:
        with shares.take(amount):
            order.append(name)

    with ThreadPoolExecutor(2) as pool, shares.take(1):
        for number, (name, amount) in enumerate([("large", 2), ("small", 1)], start=1):
            pool.submit(want, name, amount)
            while len(shares._waiting) < number:
                time.sleep(0.001)
        assert order == []  # the small one would fit, but its turn has not come
    assert order == ["large", "small"]


def test_a_part_comes_back_after_an_error() -> None:
    shares = Shares(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), shares.take(1):
            _ = 1 / 0
    with shares.take(1):
        pass


def test_nobody_waits_behind_one_who_stopped_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = Shares(1)

    def interrupted(condition: object) -> None:
        raise KeyboardInterrupt

    with shares.take(1):
        monkeypatch.setattr(shares._changed, "wait_for", interrupted)
        with pytest.raises(KeyboardInterrupt), shares.take(1):
            raise AssertionError("it got what is taken")
        monkeypatch.undo()
    later = threading.Thread(target=Gauge().use, args=(shares, 1), daemon=True)
    later.start()
    later.join(SOON)
    assert not later.is_alive()


def test_a_part_beyond_the_whole_is_the_whole() -> None:
    shares = Shares(4)
    with shares.take(99):
        assert shares._free == 0
    assert shares._free == 4


def test_nothing_cannot_be_shared() -> None:
    with pytest.raises(ValueError, match="0 units"):
        Shares(0)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"QUOTA": "max 100000"}, 4),
        ({"QUOTA": "150000 100000"}, 2),
        ({"QUOTA": "50000 100000"}, 1),
        ({"QUOTA": "900000 100000"}, 4),
        ({"QUOTA": "?"}, 4),
        ({"QUOTA_1": "150000\n", "PERIOD_1": "100000\n"}, 2),  # of an older container
        ({"QUOTA_1": "-1\n", "PERIOD_1": "100000\n"}, 4),
    ],
)
def test_a_container_has_the_processors_of_its_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], expected: int
) -> None:
    for name in ("QUOTA", "QUOTA_1", "PERIOD_1"):
        monkeypatch.setattr(f"autograder.execution.engines.resources.{name}", tmp_path / name)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)
    assert processors() == expected
