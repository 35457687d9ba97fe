"""Driving a real box: culprits, limits, when names are read, what a call is given."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import torch

from autograder.errors import SandboxError, UsageError
from autograder.evidence.records import CellRun, ProbeRun, Run
from autograder.sandbox import lazy
from autograder.sandbox.box import Box, BoxIsolation
from autograder.sandbox.driver import MAX_CHILDREN, MAX_STOPS_PER_TARGET, run
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call, Cell, Figures, Job, Limits, Outcome, Probe, Read
from autograder.wire.tensors import from_wire, to_wire
from autograder.wire.values import Array, Figure, Items, Opaque
from tests.support.tables import table_beside

LIMITS = Limits(
    cell_cpu_s=0.5,
    cell_wall_s=60,
    call_cpu_s=0.3,
    call_wall_s=60,
    submission_wall_s=300,
    memory_mb=1024,
    disk_mb=16,
    output_kb=16,
    reply_mb=1,
)
LEAVE = "import os; os._exit(3)"


def job(
    *sources: str,
    ask: tuple[Probe, ...] = (),
    keep: dict[str, int] | None = None,
    seed: int = 1,
    **limits: float,
) -> Job:
    """Cells numbered from 1, all of exercise "e", which is kept after the last one."""
    cells = tuple(Cell(n, source, "e") for n, source in enumerate(sources, start=1))
    kept = tuple((keep if keep is not None else {"e": len(cells)}).items())
    return Job(cells, kept, ask, seed, msgspec.structs.replace(LIMITS, **limits), draw=False)


def read(name: str, exercise: str = "e") -> Probe:
    return Probe(f"{exercise}/read/{name}", exercise, Read(exercise, name))


def call(
    target: str, *args: Any, exercise: str = "e", number: int = 0, seed: int = 0, **more: Any
) -> Probe:
    wired = tuple(to_wire(arg) for arg in args)
    id_ = f"{exercise}/call/{target}/{number}"
    return Probe(id_, exercise, Call(exercise, target, wired, seed, **more))


def cell(made: Run, number: int) -> CellRun:
    return next(c for c in made.cells if c.number == number)


def probe(made: Run, id_: str) -> ProbeRun:
    found = made.probe(id_)
    assert found is not None
    return found


def outcome(made: Run, id_: str) -> Outcome:
    claim = probe(made, id_).claim
    assert claim is not None, probe(made, id_).stop
    return claim


def value(made: Run, id_: str) -> Any:
    """What a read or call returned, decoded."""
    claim = outcome(made, id_)
    assert claim.status == "returned", claim
    return from_wire(claim.value)


def cause(record: CellRun | ProbeRun) -> str:
    return record.stop.cause if record.stop is not None else ""


def printed(made: Run, number: int) -> str:
    claim = cell(made, number).claim
    assert claim is not None
    return b"".join(o.content for o in claim.outputs).decode()


# ---------------------------------------------------------------- culprits


def test_what_was_reported_before_a_death_stands(plain_box: Box) -> None:
    luck = "import os; x = os.urandom(8).hex(); print(x)"
    made = run(
        job(luck, LEAVE, "pass", ask=(read("x", "a"), read("x")), keep={"a": 1, "e": 3}), plain_box
    )
    first, second = value(made, "a/read/x"), value(made, "e/read/x")
    assert printed(made, 1).strip() == first != second


def test_several_culprits_cost_one_fresh_child_each(plain_box: Box) -> None:
    made = run(job("x = 1", LEAVE, "x += 1", LEAVE, "x += 1", ask=(read("x"),)), plain_box)
    assert value(made, "e/read/x") == 3
    assert [cause(c) for c in made.cells] == ["", "died", "", "died", ""]
    assert "exit code 3" in str(cell(made, 2).stop)
    assert made.measured.children == 3


def test_a_notebook_that_dies_everywhere_is_given_up(plain_box: Box) -> None:
    ask = (read("x"), call("f"))
    made = run(job(*[LEAVE] * (MAX_CHILDREN + 3), ask=ask), plain_box)
    assert made.measured.children == MAX_CHILDREN
    assert [cause(c) for c in made.cells] == ["died"] * MAX_CHILDREN + ["budget"] * 3
    assert {cause(p) for p in made.probes} == {"budget"} and len(made.probes) == 2
    assert f"restarted too often ({MAX_CHILDREN} starts)" in str(made.cells[-1].stop)


def test_a_cell_that_loops_is_interrupted_without_a_fresh_child(plain_box: Box) -> None:
    made = run(job("x = 1\nwhile True: pass", "y = x", ask=(read("y"),)), plain_box)
    assert cause(cell(made, 1)) == "cpu" and made.measured.children == 1
    assert cell(made, 1).spent.cpu_s >= LIMITS.cell_cpu_s
    assert value(made, "e/read/y") == 1


def test_a_name_that_cannot_be_read_costs_itself_alone(plain_box: Box) -> None:
    deadly = (
        "import os\nclass Deadly:\n    def __repr__(self): os._exit(0)\nbad = Deadly()\n"
        "good, other = 1, 2"
    )
    made = run(job(deadly, ask=(read("good"), read("bad"), read("other"))), plain_box)
    assert (value(made, "e/read/good"), value(made, "e/read/other")) == (1, 2)
    assert cause(probe(made, "e/read/bad")) == "died"


def test_a_call_that_dies_costs_itself_alone(plain_box: Box) -> None:
    source = "import os\ndef f(n): return os._exit(0) if n == 1 else n\ndef g(): return 'g'"
    calls = tuple(call("f", n, number=n) for n in range(4))
    made = run(job(source, ask=(*calls, call("g"), read("os"))), plain_box)
    assert [cause(probe(made, p.id)) for p in calls] == ["", "died", "", ""]
    assert [value(made, calls[n].id) for n in (0, 2, 3)] == [0, 2, 3]
    assert value(made, "e/call/g/0") == "g"


# ---------------------------------------------------------------- limits


def test_an_endless_function_is_waited_for_a_few_times_only(plain_box: Box) -> None:
    source = (
        "import os\ndef f(n):\n    while n: pass\n    return n\ndef g(): return 'g'\n"
        "def ends(): os._exit(0)"
    )
    calls = [call("f", n, number=n) for n in (1, 2, 3, 4, 0)]
    made = run(job(source, ask=(*calls[:-1], call("ends"), calls[-1], call("g"))), plain_box)
    assert cause(probe(made, "e/call/ends/0")) == "died"
    assert made.measured.cpu_s < 3 * MAX_STOPS_PER_TARGET
    assert [cause(probe(made, p.id)) for p in calls] == ["cpu"] * 5  # the last was never tried
    waited = [p.id for p in made.probes if p.spent.cpu_s > 0.2]
    assert waited == [p.id for p in calls[:MAX_STOPS_PER_TARGET]]
    assert all("seconds of processor time" in str(probe(made, p.id).stop) for p in calls)
    assert value(made, "e/call/g/0") == "g"


def test_the_same_function_in_another_exercise_is_asked_again(plain_box: Box) -> None:
    """Another exercise keeps another namespace: what looped there may be mended here."""
    loops, mended = "def f(n):\n    while n: pass", "def f(n): return n"
    ask = (*(call("f", 1, number=n, exercise="a") for n in range(3)), call("f", 1))
    made = run(job(loops, mended, ask=ask, keep={"a": 1, "e": 2}), plain_box)
    assert value(made, "e/call/f/0") == 1


@pytest.mark.slow
def test_the_wall_limit_of_a_whole_notebook_ends_it_with_a_reason(plain_box: Box) -> None:
    source = "import time\ntime.sleep(600)"
    made = run(
        job(
            "x = 1",
            source,
            "y = 2",
            ask=(read("x", "a"), read("y"), call("f")),
            keep={"a": 1, "e": 3},
            submission_wall_s=5.0,
        ),
        plain_box,
    )
    assert made.measured.wall_s < 60
    assert [cause(c) for c in made.cells] == ["", "wall", "budget"]
    assert value(made, "a/read/x") == 1
    assert cause(probe(made, "e/call/f/0")) == "budget"
    for number in (2, 3):
        assert "the whole notebook took more than 5 seconds" in str(cell(made, number).stop)


def test_an_answer_that_is_too_large_costs_itself_alone(plain_box: Box) -> None:
    source = "import torch\nbig = torch.zeros(1_000_000)\nsmall = 7\ndef f(n): return big[:n]"
    calls = [call("f", n, number=n) for n in (3, 1_000_000, 4)]
    made = run(job(source, ask=(read("big"), read("small"), *calls)), plain_box)
    assert cause(probe(made, "e/read/big")) == cause(probe(made, calls[1].id)) == "output"
    assert "larger than 1 MB" in str(probe(made, "e/read/big").stop)
    assert value(made, "e/read/small") == 7
    assert [len(value(made, calls[n].id)) for n in (0, 2)] == [3, 4]


def test_time_and_memory_are_measured_from_outside(plain_box: Box) -> None:
    lie = "import time\ntime.process_time = time.monotonic = time.perf_counter = lambda: 0.0\n"
    work = "hoard = bytearray(80_000_000)\nfor n in range(1_000_000): n * n"
    idle, busy = run(job("pass"), plain_box).measured, run(job(lie + work), plain_box).measured
    assert busy.cpu_s > idle.cpu_s > 0 and busy.wall_s >= busy.cpu_s / 2
    assert busy.peak_mb > idle.peak_mb + 60
    assert (busy.level, busy.layers) == (plain_box.isolation.level, plain_box.isolation.layers)


# ---------------------------------------------------------------- when names are read


def test_a_name_is_read_right_after_its_exercise(plain_box: Box) -> None:
    sources = ("x = [1]", "x.append(2); y = 'kept'", "x.append(3); y = 'used again'")
    ask = (read("x", "a"), read("y", "a"), read("y"))
    made = run(job(*sources, ask=ask, keep={"a": 2, "e": 3}), plain_box)
    assert value(made, "a/read/x") == [1, 2]
    assert (value(made, "a/read/y"), value(made, "e/read/y")) == ("kept", "used again")


@pytest.mark.parametrize("keep", [{"e": 1}, {}], ids=["kept before", "an exercise without a cell"])
def test_a_name_that_is_defined_later_is_found_at_the_end(
    plain_box: Box, keep: dict[str, int]
) -> None:
    later = "x = 2\nbase = 5\ndef f(): return x + base"
    ask = (read("x"), read("ghost"), call("f"), call("ghost"))
    made = run(job("pass", later, ask=ask, keep=keep), plain_box)
    assert (value(made, "e/read/x"), value(made, "e/call/f/0")) == (2, 7)
    for missing in ("e/read/ghost", "e/call/ghost/0"):
        assert outcome(made, missing).status == "missing"


# ---------------------------------------------------------------- calls

EXERCISES = table_beside(__file__)  # of one run, each with names of its own
ONES = torch.nn.Embedding(2, 2, _weight=torch.ones(2, 2))
ASKED = {
    "base": (call("f"),),
    "other": (call("f"),),
    "plain": (read("x"), read("none")),
    "awkward": (read("sparse"), read("half"), read("loop"), call("f"), call("g")),
    "greedy": (
        *(call("f", [1, 2], torch.ones(3), ONES, number=n) for n in range(3)),
        call("reads", [2, 1], torch.zeros(2), "a", 3),
    ),
    "keeps": (call("f"), call("f", number=1)),
    "random": (
        *(call("f", seed=3), call("g"), call("f", number=1, seed=3)),
        call("f", number=2, seed=4),
    ),
    "prints": (call("f", "TOP-SECRET"), read("seen")),
    "raises": (call("f", 0), call("f", 1, number=1)),
    "gradient": (
        call("f", torch.ones(4), ONES, gradient=(0, 1)),
        call("g", torch.ones(4), gradient=(0,)),
        call("large", discard=True),
    ),
    "switches": (call("f"), call("g"), call("f", number=1)),
}


def of(exercise: str, probe: Probe) -> Probe:
    """The same asked of another exercise."""
    request = msgspec.structs.replace(probe.request, exercise=exercise)
    return Probe(f"{exercise}{probe.id.removeprefix('e')}", exercise, request)


def every_exercise(seed: int) -> Job:
    numbered = {name: number for number, name in enumerate(EXERCISES, start=1)}
    ask = tuple(of(name, probe) for name, probes in ASKED.items() for probe in probes)
    whole = job(*EXERCISES.values(), ask=ask, keep=numbered, seed=seed)
    cells = zip(whole.cells, EXERCISES, strict=True)
    named = tuple(msgspec.structs.replace(cell, exercise=name) for cell, name in cells)
    return msgspec.structs.replace(whole, cells=named)


@pytest.fixture(scope="module")
def made(plain_box: Box) -> Run:
    return run(every_exercise(1), plain_box)


def test_no_exercise_costs_another_one_anything(made: Run) -> None:
    assert made.measured.children == 1 and not any(map(cause, made.cells + made.probes))


def test_a_call_sees_the_names_of_its_own_exercise(made: Run) -> None:
    assert (value(made, "base/call/f/0"), value(made, "other/call/f/0")) == (10, "other")


def test_a_name_without_a_plain_value_is_still_there(made: Run) -> None:
    assert isinstance(outcome(made, "plain/read/x").value, Opaque)
    assert value(made, "plain/read/none") is None
    assert isinstance(value(made, "awkward/call/g/0"), Opaque)


def test_arguments_are_rebuilt_for_each_call_and_changes_are_noticed(made: Run) -> None:
    """What is only read counts as unchanged."""
    calls = [f"greedy/call/f/{n}" for n in range(3)]
    assert [value(made, id_) for id_ in calls] == [10.0] * 3
    assert [outcome(made, id_).changed for id_ in calls] == [(0, 1, 2)] * 3
    assert outcome(made, "greedy/call/reads/0").changed == ()


def test_what_a_call_assigns_to_a_global_is_there_in_the_next_call(made: Run) -> None:
    """As in the notebook: an answer that keeps something in a global is seen to do so."""
    assert [value(made, f"keeps/call/f/{n}") for n in range(2)] == [2, 3]


def test_seeds_are_fixed_before_each_call_and_for_a_run(plain_box: Box, made: Run) -> None:
    first, again, other = (value(made, f"random/call/f/{n}") for n in range(3))
    assert first == again
    assert all(a != b for a, b in zip(first, other, strict=True))
    drawing = EXERCISES["random"] + "\nx = f()"
    runs = [
        run(job(drawing, ask=(call("f", seed=3), read("x")), seed=seed), plain_box)
        for seed in (2**40, 2**40, 7)
    ]
    assert [value(one, "e/call/f/0") for one in runs] == [first] * 3
    one, same, another = (value(one, "e/read/x") for one in runs)
    assert one == same
    assert all(a != b for a, b in zip(one, another, strict=True))


def test_global_switches_of_torch_are_reset_around_every_call(made: Run) -> None:
    assert value(made, "switches/call/f/0") == ["torch.float32", "cpu", True]
    assert value(made, "switches/call/g/0") == ["torch.float16", "meta", False]
    assert value(made, "switches/call/f/1") == ["torch.float32", "cpu", True]


def test_nothing_that_a_call_prints_gets_out(made: Run) -> None:
    """Hidden inputs would be in it."""
    assert value(made, "prints/call/f/0") == 10
    assert printed(made, 1 + list(EXERCISES).index("shown")) == "shown\n"
    assert b"TOP-SECRET" not in msgspec.msgpack.encode(made)


def test_a_call_that_raises_is_an_outcome(made: Run) -> None:
    first, second = outcome(made, "raises/call/f/0"), outcome(made, "raises/call/f/1")
    assert first.error is not None and first.error.types[0] == "IndexError"
    assert (first.error.line, first.error.source) == (3, "return [][n]")
    assert second.error is not None and second.error.types[0] == "SystemExit"


def test_a_gradient_is_that_of_the_sum_with_the_pattern(made: Run) -> None:
    pattern = torch.sin(1.7 * torch.arange(4.0) + 0.3)
    of_x, of_table = (from_wire(g) for g in outcome(made, "gradient/call/f/0").gradients)
    torch.testing.assert_close(of_x, 3 * pattern)
    torch.testing.assert_close(of_table[0], pattern.sum().expand(2, 2))
    assert outcome(made, "gradient/call/g/0").gradients == (None,)
    assert outcome(made, "gradient/call/f/0").changed == ()


def test_a_result_whose_numbers_are_not_wanted_stays_inside(made: Run) -> None:
    found = value(made, "gradient/call/large/0")
    assert found["shape"] == [1000, 1000] and found["numbers"].tolist() == [0.0] * 320


# ---------------------------------------------------------------- figures

DRAW = """
import matplotlib.pyplot as plt
plt.imshow([[{0}, 1.0], [2.0, 3.0]], cmap="RdBu", vmin=-3, vmax=3)
plt.colorbar(); plt.xlabel("dimension"); plt.title("{1}")
plt.show()
"""


def figure_job(*titles: str) -> Job:
    """One cell and one exercise for each title."""
    cells = tuple(
        Cell(n, DRAW.format(float(n), title) if title else "x = 1", f"e{n}")
        for n, title in enumerate(titles, start=1)
    )
    ask = tuple(Probe(f"e{c.number}/figures", c.exercise, Figures(c.exercise)) for c in cells)
    return Job(cells, tuple((c.exercise, c.number) for c in cells), ask, 1, LIMITS, draw=False)


def test_an_exercise_has_its_own_figures_as_data(plain_box: Box) -> None:
    made = run(figure_job("first", "second"), plain_box)
    for number, title in ((1, "first"), (2, "second")):
        found = outcome(made, f"e{number}/figures").value
        assert isinstance(found, Items) and len(found.items) == 1
        (figure,) = found.items
        assert isinstance(figure, Figure)
        panel = figure.panels[0]
        assert (panel.title, panel.xlabel, panel.colormaps) == (title, "dimension", ("RdBu",))
        shown = panel.images[0]
        assert isinstance(shown, Array)
        assert from_wire(shown).tolist() == [[number, 1.0], [2.0, 3.0]]
        assert panel.has_colorbar == (True,) and panel.zero_at == (0.5,)


def test_figures_are_drawn_only_when_wanted(plain_box: Box) -> None:
    plain = figure_job("first")
    for draw in (False, True):
        claim = run(msgspec.structs.replace(plain, draw=draw), plain_box).cells[0].claim
        assert claim is not None
        assert [o.mime for o in claim.outputs] == (["image/png"] if draw else [])


# ---------------------------------------------------------------- a box that is lost


class Made:
    """Boxes that only say how well they isolate, and whether they were closed."""

    def __init__(self, level: Any = "strong") -> None:
        self.boxes: list[SimpleNamespace] = []
        self._level = level

    def __call__(self) -> Any:
        one = SimpleNamespace(
            isolation=BoxIsolation(self._level, (), ("namespaces: no",)), open=True
        )
        one.close = lambda: setattr(one, "open", False)
        self.boxes.append(one)
        return one


def failing(times: int) -> Callable[[Job, Any], Any]:
    """Stands in for the driver: our own fault this many times, then a run."""
    left = [times]

    def act(job: Job, box: Any, **_: object) -> str:
        assert box.open
        if left[0]:
            left[0] -= 1
            raise SandboxError("the zygote is gone")
        return "a run"

    return act


def test_a_box_starts_with_the_first_job_and_is_replaced_once_when_it_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make = Made()
    monkeypatch.setattr(lazy, "run", failing(1))
    with LazyBox(make, require="medium") as box:
        assert make.boxes == []
        assert [box.run(job("x = 1")) for _ in range(2)] == ["a run"] * 2  # type: ignore[comparison-overlap]
        assert [b.open for b in make.boxes] == [False, True]
        monkeypatch.setattr(lazy, "run", failing(2))
        with pytest.raises(SandboxError, match="zygote"):
            box.run(job("x = 1"))
    assert not any(b.open for b in make.boxes)


@pytest.mark.parametrize(
    ("level", "require", "enough"),
    [
        ("strong", "strong", True),
        ("medium", "strong", False),
        ("weak", "medium", False),
        ("none", "weak", False),
        ("medium", "medium", True),
    ],
)
def test_a_box_below_the_required_level_runs_nothing(
    monkeypatch: pytest.MonkeyPatch, level: str, require: Any, enough: bool
) -> None:
    make = Made(level)
    monkeypatch.setattr(lazy, "run", failing(0))
    with LazyBox(make, require=require) as box:
        assert box.accepts(level) is enough and not box.accepts("unheard of")
        if enough:
            box.run(job("x = 1"))
        else:
            with pytest.raises(UsageError, match=f"'{level}', but '{require}' is required"):
                box.run(job("x = 1"))
            assert [b.open for b in make.boxes] == [False]


def test_a_job_for_a_zygote_that_is_gone_is_our_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def start_and_die(self: Any, without: Any) -> None:
        self._control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        other.close()
        self._process = SimpleNamespace(wait=lambda seconds: 0)
        self._log = SimpleNamespace(close=lambda: None)
        self.isolation = BoxIsolation("weak", ("limits",), ())

    monkeypatch.setattr(Box, "_start", start_and_die)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Box() as made:
        for _ in range(2):
            with pytest.raises(SandboxError, match="the zygote is gone"):
                run(job("x = 1"), made)
        assert made._slots == set()
    assert list(tmp_path.iterdir()) == []


def test_a_watcher_is_shown_what_is_known_while_the_run_goes_on(warm_box: LazyBox) -> None:
    seen: list[Run] = []
    cells = tuple(Cell(n, f"x = {n}") for n in range(1, 5))
    whole = warm_box.run(Job(cells, (), (), 1), watch=seen.append)
    assert [len(run.cells) for run in seen] == [0, 0, 1, 2, 3]  # the first: before any cell
    assert all(run.cells == whole.cells[: len(run.cells)] for run in seen)
