"""What is known of a run so far, over all its children, and what it has used up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from autograder.evidence.records import CellRun, ProbeRun, Stop, TimeSpent
from autograder.sandbox.child import ChildAnswer
from autograder.wire.messages import Begin, Call, Job, Probe, Request, RunCell

MAX_CHILDREN = 12
# for simulated calls: share of a run's seconds and bytes, and number of its children
SHARE, DEATHS = 0.25, 2
NOTHING = TimeSpent(0.0, 0.0)
BESIDE = Stop("died", "the notebook did not finish beside a simulated accelerator")


@dataclass(slots=True)
class RunAccount:
    """What is known so far, over all children of one submission."""

    job: Job
    deadline: float
    cells: dict[int, CellRun] = field(default_factory=dict)
    probes: dict[str, ProbeRun] = field(default_factory=dict)
    cut: set[int] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)  # ids of tests whose shown part ended a child
    stops: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, Stop] = field(default_factory=dict)  # the last stop of each target
    at_once: set[str] = field(default_factory=set)  # targets of which a call returned at once
    cpu_s: float = 0.0
    peak_mb: float = 0.0
    fork_s: float = 0.0
    cells_s: float = 0.0
    calls_s: float = 0.0
    waited_s: float = 0.0
    children: int = 0
    grown: dict[int, float] = field(default_factory=dict)  # MB by cell, in the present child
    before: frozenset[int | str] = frozenset()  # cells and probes that earlier children reported
    weight: int = 0
    doubt_kills: bool = False  # an unexplained kill ends the run
    pretend: bool = False  # the present child, the last one, runs its cells with a simulated
    # accelerator: cells that ask for one may act otherwise there

    apart: bool = False  # the present child runs hidden tests in place: its cells only prepare
    simulated_s: float = 0.0  # total use of calls with a simulated accelerator
    simulated_weight: int = 0
    simulated_deaths: int = 0
    tell: Callable[[], None] = lambda: None  # passes on what is known, if there is a listener

    def left(self) -> float:
        """Seconds that the run still has; none once its answers are too large to keep."""
        return 0.0 if self.full() else self.deadline - time.monotonic()

    def full(self) -> bool:
        """Whether its answers exceed their limit; those of simulated calls are counted
        separately."""
        return self.weight - self.simulated_weight > self.job.limits.total_mb * 1024**2

    def begin_child(self) -> None:
        """Record what is known before a child begins."""
        self.children += 1
        self.grown = {}
        self.before = frozenset({*self.cells, *self.probes})

    def forget_child(self) -> None:
        """Drop what the present child reported: the next one is asked again."""
        self.cells = {n: cell for n, cell in self.cells.items() if n in self.before}
        self.probes = {id_: probe for id_, probe in self.probes.items() if id_ in self.before}

    def count(self, request: Request, seconds: float) -> None:
        """Add the elapsed time of one request to its part of the run."""
        if isinstance(request, Begin):
            self.fork_s += seconds
        elif isinstance(request, RunCell):
            self.cells_s += seconds
        else:
            self.calls_s += seconds

    def count_simulated(self, answered: ChildAnswer) -> None:
        """Add the time of one call with a simulated accelerator."""
        self.simulated_s += answered.spent.wall_s - answered.waited_s
        self.simulated_weight += answered.weight
        self.simulated_deaths += not answered.alive

    def simulated_enough(self) -> bool:
        """Whether such calls have used up their share: they must never take from the ordinary
        ones."""
        limits = self.job.limits
        return (
            self.simulated_s > SHARE * limits.submission_wall_s
            or self.simulated_weight > SHARE * limits.total_mb * 1024**2
            or self.simulated_deaths >= DEATHS
        )

    def turn(self) -> list[Probe]:
        """The calls that are open for the present child, in their order."""
        calls = [p for p in self.job.probes if isinstance(p.request, Call)]
        later = self.job.pretend and not self.pretend
        return [p for p in calls if p.id not in self.probes and not (later and is_simulated(p))]

    def together(self, waiting: Sequence[Probe]) -> list[Probe]:
        """The first of these calls, and those behind it that are sent with it: of the same check,
        and only of functions that have returned at once and were never stopped."""
        first = waiting[0]
        # Inputs of another check are not inside before it is asked.
        alike = takewhile(lambda p: p.check == first.check and self._travels(p), waiting)
        return list(alike) or [first]

    def _travels(self, probe: Probe) -> bool:
        """Whether a call may be sent while another runs: not if its own cost counts, and not to a
        device that may be lost."""
        target, request = target_of(probe), probe.request
        return (
            bool(probe.check)
            # A function that has not returned at once is called alone.
            and target in self.at_once
            and not self.stops[target]  # calls of a function that was stopped go alone
            and not self.job.device  # calls on a device that may be lost go alone
            # A call whose cost counts goes alone.
            and not (isinstance(request, Call) and request.discard)
            and not (is_simulated(probe) and self.simulated_enough())
        )

    def used_up(self) -> str:
        """Which limit of the run was reached, as a sentence."""
        limits = self.job.limits
        if self.full():
            return f"all its results together are larger than {limits.total_mb} MB"
        if self.children >= MAX_CHILDREN and self.left() > 0:
            return f"the notebook had to be restarted too often ({self.children} starts)"
        return f"the whole notebook took more than {limits.submission_wall_s:g} seconds"

    def close(self) -> None:
        """Record for everything that was never asked why: the run's own limit, or its last
        death."""
        stop = Stop("budget", self.used_up())
        for cell in self.job.cells:
            if cell.number not in self.cells:
                self.cells[cell.number] = CellRun(cell.number, None, stop, NOTHING)
        for probe in self.job.probes:
            if probe.id not in self.probes:
                why = BESIDE if self.pretend else stop
                self.probes[probe.id] = ProbeRun(probe.id, None, why, NOTHING)

    def so_far(self) -> tuple[tuple[CellRun, ...], tuple[ProbeRun, ...]]:
        """The records that there are, cells by number and probes in the job's order."""
        cells = tuple(self.cells[number] for number in sorted(self.cells))
        return cells, tuple(self.probes[p.id] for p in self.job.probes if p.id in self.probes)


def target_of(probe: Probe) -> str:
    """The target of a probe, by which stops are counted; simulated calls are counted separately."""
    asked = probe.request.target if isinstance(probe.request, Call) else probe.id
    return f"{probe.exercise} {asked}{' simulated' if is_simulated(probe) else ''}"


def is_simulated(probe: Probe) -> bool:
    """Whether a call is made with a simulated accelerator."""
    place = probe.request.place if isinstance(probe.request, Call) else None
    return place is not None and place.simulated
