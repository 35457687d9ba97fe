"""What grading takes, phase by phase: measured where it happens, counted once, told of nobody."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as strictly
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from rich.console import Console

from autograder.classroom.metrics.exposed import Exposed
from autograder.classroom.metrics.recorder import MIB, SHARED, Recorder
from autograder.classroom.metrics.table import duration
from autograder.classroom.results_folder import ResultsFolder
from autograder.commands import show
from autograder.errors import UsageError
from autograder.evidence.records import Measured, Run
from autograder.gradebook.grade import Grade, GradeTiming
from autograder.gradebook.result import read_result
from autograder.gradebook.store import GradeStore
from autograder.grading.context import GradedSubmission, best_of
from autograder.grading.device_runs import obtained
from autograder.grading.runs import JudgedRun, once_more
from autograder.grading.timing import Timing
from autograder.notebook.structure.locate import Located
from tests.support.class_of_sixty.klass import tiny
from tests.support.device_jobs import WHOLE, Runs, setting_of
from tests.support.in_process import Ran, command, done
from tests.support.killed import Place

SLEPT_S = 3.0
SLEEPER = f"# %%\nimport time\ntime.sleep({SLEPT_S})\nstudent = 'quill-sleeper'\nattempt = 1\n"
NAMES = ("quill-ada", "quill-ben", "quill-cyd")


@dataclass(frozen=True)
class Twice:
    """A class that was graded twice with the same command, and its metrics after each time."""

    out: Path
    texts: tuple[str, str]
    began: float
    again: Ran

    def result(self, student: str) -> Grade:
        return read_result((self.out / "results" / f"{student}.json").read_bytes())


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Twice:
    place = Place(tmp_path_factory.mktemp("metrics"), "")
    place.write(2)
    hand_ins = place.folder / "hand-ins"
    shutil.rmtree(hand_ins)
    hand_ins.mkdir()
    for number, name in enumerate(NAMES):
        (hand_ins / f"{name}.ipynb").write_bytes(tiny(name, 1 + number % 2))
    (hand_ins / "quill-sleeper.py").write_text(SLEEPER)
    (hand_ins / "quill-torn.ipynb").write_text('{"cells": [')
    course = place.folder / "assignments" / "small"
    fixed = ("--seed", 1, "--no-figures", "--workers", 2, "--require", "weak")
    words = ("grade", course, hand_ins, "--out", place.out, *fixed)
    began, file = time.time(), place.folder / "node" / "class.prom"
    done(*words, "--metrics", file)
    assert list(file.parent.iterdir()) == [file]
    first = (place.out / "metrics.prom").read_text()
    assert file.read_text() == first
    again = done(*words, "--metrics", hand_ins / "quill-ada.ipynb" / "below-a-file.prom")
    return Twice(place.out, (first, (place.out / "metrics.prom").read_text()), began, again)


def _labels(sample: Sample) -> list[str]:
    return [value for label, value in sample.labels.items() if label != "assignment"]


class Counted:
    """What a metrics file holds: each number by its name without our prefix, and its label."""

    def __init__(self, text: str) -> None:
        self.numbers = {
            (sample.name.removeprefix("autograder_"), *_labels(sample)): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if not sample.name.endswith("_bucket") and sample.labels["assignment"] == "small"
        }

    def by_label(self, name: str) -> dict[str, float]:
        return {key[1]: value for key, value in self.numbers.items() if key[0] == name}

    @property
    def phases(self) -> dict[str, tuple[float, float]]:
        sums = self.by_label("phase_seconds_sum")
        counts = self.by_label("phase_seconds_count")
        return {phase: (count, sums[phase]) for phase, count in counts.items() if count}


# ---------------------------------------------------------------- a class


def test_the_text_passes_the_strict_parser(twice: Twice) -> None:
    """That of OpenMetrics, which checks buckets, counts and sums; it names counters otherwise."""
    for text in twice.texts:
        other = re.sub(r"^(# (?:HELP|TYPE) \w+)_total ", r"\1 ", text, flags=re.MULTILINE)
        families = {one.name: one for one in strictly(other + "# EOF\n")}
        kinds = {name: one.type for name, one in families.items()}
        assert kinds == {
            "autograder_phase_seconds": "histogram",
            "autograder_hand_ins": "counter",
            "autograder_runs": "counter",
            "autograder_run_peak_memory_bytes": "histogram",
            "autograder_queue_length": "gauge",
            "autograder_last_finished_timestamp_seconds": "gauge",
        }
        assert all(family.documentation for family in families.values())


def test_the_counters_agree_with_the_gradebook(twice: Twice) -> None:
    found = Counted(twice.texts[0])
    with GradeStore(ResultsFolder(twice.out).database) as store:
        words = [grade.status for grade in store.latest("small")]
    assert len(words) == 5
    statuses = ("graded", "rejected", "ungraded")
    assert found.by_label("hand_ins_total") == {word: words.count(word) for word in statuses}
    assert found.by_label("runs_total") == {"box": 4, "store": 0}
    assert found.numbers["queue_length",] == 0
    assert found.numbers["run_peak_memory_bytes_count",] == 4
    counts = {phase: count for phase, (count, _) in found.phases.items()}
    ran = dict.fromkeys(("queue", "fork", "cells", "calls", "judge"), 4)
    assert counts == {**ran, "store": 5}  # the torn one is written, and no more
    finished = found.numbers["last_finished_timestamp_seconds",]
    assert twice.began <= finished <= time.time()


def test_a_cell_that_sleeps_is_in_the_cells_and_nowhere_else(twice: Twice) -> None:
    spent = twice.result("quill-sleeper").timing
    others = [twice.result(name).timing for name in NAMES]
    assert SLEPT_S <= spent.cells <= spent.run and spent.calls < SLEPT_S
    assert all(other.cells < other.run and other.fork > 0 for other in others)
    for other in (spent, *others):
        assert other.fork + other.cells + other.calls <= other.run + 0.003 and other.transit == 0
    found = Counted(twice.texts[0]).phases
    assert found["cells"][1] == pytest.approx(sum(o.cells for o in (spent, *others)), abs=0.004)
    assert found["store"][1] > 0
    assert found["fork"][1] == pytest.approx(sum(o.fork for o in (spent, *others)), abs=0.004)


def test_what_is_stored_is_no_run_of_now(twice: Twice) -> None:
    found = Counted(twice.texts[1])
    assert found.by_label("runs_total") == {"box": 0, "store": 4}
    assert found.numbers["run_peak_memory_bytes_count",] == 0
    assert found.by_label("hand_ins_total") == Counted(twice.texts[0]).by_label("hand_ins_total")
    assert {p: n for p, (n, _) in found.phases.items()} == {"queue": 4, "judge": 4, "store": 5}
    assert twice.result("quill-sleeper").timing.cells >= SLEPT_S  # in the result it is of then


def test_nothing_of_a_hand_in_is_in_the_file(twice: Twice) -> None:
    for text in twice.texts:
        assert "quill" not in text and "ipynb" not in text and str(twice.out) not in text
        labels = set(re.findall(r'(\w+)="', text))
        assert labels == {"assignment", "phase", "status", "from", "le"}


def test_a_file_that_cannot_be_written_costs_nothing_and_is_told_once(twice: Twice) -> None:
    assert twice.again.code == 0 and twice.again.err.count("no metrics") == 1
    assert "below-a-file.prom" in twice.again.err and "grading continues" in twice.again.err


def test_a_folder_or_a_device_is_no_file_for_metrics(twice: Twice, tmp_path: Path) -> None:
    course = twice.out.parent / "assignments" / "small"
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path, tmp_path / "pipe"):
        ran = command("grade", course, course, "--out", tmp_path / "o", "--metrics", target)
        assert ran.code == 2 and str(target) in ran.err.replace("\n", "")
        assert not (tmp_path / "o").exists()
    assert (tmp_path / "pipe").is_fifo()


# ---------------------------------------------------------------- the table


def test_the_table_fits_and_agrees_with_the_results(
    twice: Twice, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (40, 160):
        monkeypatch.setattr(show, "out", Console(width=width))
        shown = done("show", twice.out, "--timings").out
        lines = shown.splitlines()
        assert max(map(len, lines)) <= width and "…" not in shown
        assert [line.split()[0] for line in lines[:4]] == ["phase", "queue", "fork", "cells"]
        assert "5 submissions: 4 graded, 1 rejected" in shown
        assert ("judging and diagnosis" in shown) == (width == 160)
    written = json.loads(done("show", twice.out, "--timings", "--json").out)
    assert written["statuses"] == {"graded": 4, "rejected": 1}
    cells = next(p["seconds"] for p in written["phases"] if p["phase"] == "cells")
    took = sorted(twice.result(name).timing.cells for name in (*NAMES, "quill-sleeper"))
    assert cells["count"] == 4 and cells["p95"] == took[-1]
    assert cells["median"] == pytest.approx((took[1] + took[2]) / 2)
    shares = [phase["share"] for phase in written["phases"]]
    assert shares[0] is None and sum(shares[1:]) == pytest.approx(1, abs=0.001)
    assert command("show", twice.out, "quill-ada", "--timings").code == 2


def test_a_time_is_told_in_its_unit() -> None:
    told = {0: "0.0 ms", 0.0123: "12 ms", 119: "119 s", 120: "2.0 min", 360000: "100 h"}
    assert {seconds: duration(seconds) for seconds in told} == told


# ---------------------------------------------------------------- what is counted


def measured(*, peak_mb: float = 100, **spent: float) -> Measured:
    took: dict[str, Any] = {f"{phase}_s": seconds for phase, seconds in spent.items()}
    wall = sum(spent.values()) - spent.get("transit", 0)
    return Measured(wall, wall, peak_mb, 1, "strong", (), **took)


def outcome(twice: Twice, *took: Timing) -> GradedSubmission:
    run = Run((), (), measured())
    tries = tuple(JudgedRun((), run, Located((), {}), bool(one.made), one) for one in took)
    return GradedSubmission(twice.result("quill-ada"), any(one.made for one in took), tries=tries)


def recorded(*outcomes: GradedSubmission) -> Counted:
    recorder = Recorder("small")
    recorder.expect(len(outcomes))
    for one in outcomes:
        recorder.record(one)
    return Counted(recorder.text().decode())


def test_a_hand_in_with_runs_of_both_kinds_counts_what_was_made(twice: Twice) -> None:
    """Its first try was stored, the second one made now on a cluster: one hand-in, two runs."""
    old = Timing(stored=(measured(cells=50, peak_mb=900),), judge_s=1, store_s=0.25)
    new = Timing(made=(measured(fork=2, cells=3, calls=4, transit=5),), judge_s=2, store_s=0.5)
    found = recorded(outcome(twice, old, new))
    assert found.by_label("runs_total") == {"box": 1, "store": 1}
    assert found.by_label("hand_ins_total")["graded"] == 1
    assert found.numbers["run_peak_memory_bytes_sum",] == 100 * MIB
    assert {name: told for name, told in found.phases.items() if name != "queue"} == {
        "fork": (1, 2),
        "cells": (1, 3),
        "calls": (1, 4),
        "transit": (1, 5),
        "judge": (1, 3),
        "store": (1, 0.75),
    }
    first, second = (outcome(twice, one).tries[0] for one in (old, new))
    assert once_more(first, second).took == old + new


def test_of_several_attempts_all_runs_count_and_one_hand_in(twice: Twice) -> None:
    attempts = [outcome(twice, Timing(made=(measured(cells=n),), judge_s=1)) for n in (1, 2, 4)]
    found = recorded(best_of(tuple(attempts)))
    assert found.by_label("hand_ins_total")["graded"] == 1
    assert found.by_label("runs_total")["box"] == 3
    assert found.phases["cells"] == (1, 7) and found.phases["judge"] == (1, 3)


def test_a_run_on_a_device_counts_beside_the_ordinary_one(tmp_path: Path) -> None:
    setting = setting_of(tmp_path, Runs(), Runs())
    first, second = obtained(setting, WHOLE), obtained(setting, WHOLE)
    assert [len(first.took.made), len(first.took.stored), first.fresh] == [2, 0, True]
    assert [len(second.took.made), len(second.took.stored), second.fresh] == [0, 2, False]
    assert first.took.store_s > 0 and second.took.store_s > 0


def test_numbers_of_other_processes_are_not_mixed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHARED, "/nowhere")
    with pytest.raises(UsageError, match="unset it"):
        Recorder("small")


# ---------------------------------------------------------------- the file


def test_the_files_are_written_while_grading_goes_on(tmp_path: Path) -> None:
    recorder, path, told = Recorder("small"), tmp_path / "m.prom", list[str]()
    files = Exposed(recorder, [path, tmp_path], told.append, every_s=0.01)
    for number in (3, 4):  # it is entered again for what comes in later
        path.unlink(missing_ok=True)
        with files:
            recorder.expect(number)
            until = time.monotonic() + 120
            while not (path.exists() and f"{number}.0\n" in path.read_text()):
                assert time.monotonic() < until, "nothing is written before the end"
                time.sleep(0.01)
        recorder.expect(9)
        time.sleep(0.05)
        assert "9.0\n" not in path.read_text()  # nobody writes any more
    assert len(told) == 1 and str(tmp_path) in told[0]  # many times it failed
    assert [path.name for path in tmp_path.iterdir()] == ["m.prom"]


def test_the_end_is_written_also_of_a_failure_for_whoever_collects_metrics(tmp_path: Path) -> None:
    path, old = tmp_path / "m.prom", os.umask(0o077)
    try:
        with pytest.raises(KeyboardInterrupt), Exposed(Recorder("small"), [path], print):
            raise KeyboardInterrupt
    finally:
        os.umask(old)
    assert path.read_bytes().endswith(b"\n") and b"autograder_runs_total" in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o644


def test_the_same_grade_with_other_times_is_the_same(twice: Twice) -> None:
    grade = twice.result("quill-ada")
    timing = GradeTiming(9, 9, 9, 9, fork=9, cells=9, calls=9, transit=9, store=9)
    slower = msgspec.structs.replace(grade, timing=timing)
    with GradeStore(ResultsFolder(twice.out).database) as store:
        run = store.runs()[0].id
        assert store.record(run, grade) == store.record(run, slower)


def test_evidence_from_before_these_times_is_still_read() -> None:
    older = msgspec.to_builtins(measured(cells=1))
    for name in ("fork_s", "cells_s", "calls_s", "transit_s"):
        del older[name]
    found = msgspec.convert(older, Measured)
    assert (found.wall_s, found.fork_s, found.cells_s, found.calls_s) == (1, 0, 0, 0)
