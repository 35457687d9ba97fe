"""Runs one job in the sandbox: cells in order, reads after each exercise, calls at the end.

The outside is in control. A cell or call that exceeds its limit is interrupted; if that does not
help, the child is killed, what was reported before remains valid, and a fresh child runs the
notebook again without the culprit.

Calls of one check are sent together once their functions have returned at once, and are answered
one by one. If such a batch ends early, so does the child: the rest is asked in a fresh one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import msgspec

from autograder.errors import SandboxError
from autograder.evidence.records import CellRun, Measured, ProbeRun, Run, Stop
from autograder.evidence.stops import (
    DEVICE_LOST,
    ENDED,
    TOO_MUCH,
    says_device_lost,
    says_no_memory,
    too_much_memory,
)
from autograder.sandbox.account import MAX_CHILDREN, NOTHING, RunAccount, is_simulated, target_of
from autograder.sandbox.box import Box
from autograder.sandbox.child import Child, ChildAnswer
from autograder.wire.messages import (
    Begin,
    Call,
    CellDone,
    Error,
    Figures,
    GivenText,
    Job,
    Keep,
    Kept,
    Outcome,
    Probe,
    Read,
    Request,
    RunCell,
    Test,
)

MAX_STOPS_PER_TARGET = 2
# shares of memory_mb: held where memory ran out, held where a process ended without a word for lack
# of it, and taken by one cell
STARVED, NEARLY_ALL, GREEDY = 0.6, 0.9, 0.25
READ_CPU_S, READ_WALL_S = 10.0, 30.0
AT_ONCE_S = 0.1  # processor seconds of a call beyond which others are not sent with it
DEVICE_CPU_S, DEVICE_WALL_S = 60.0, 120.0  # first use of a device: drivers, libraries, context
OTHER_QUESTION = Stop("protocol", "it answered another question")


class Killed(SandboxError):
    """A child was killed, but not by the grader: by its own code, or by somebody on this
    machine."""


def run(
    job: Job, box: Box, *, watch: Callable[[Run], None] | None = None, doubt_kills: bool = False
) -> Run:
    """All evidence that this job yields; raises ``SandboxError`` for faults of the grader.

    ``doubt_kills``: raise ``Killed`` for an unexplained kill, instead of blaming the notebook.

    ``watch`` is given, before each question, all the evidence so far.
    """
    if job.files != box.files:  # a box with other files runs nothing
        raise SandboxError("the sandbox has other files than the assignment: start again")
    started = time.monotonic()
    state = RunAccount(job, started + job.limits.submission_wall_s, doubt_kills=doubt_kills)
    if watch is not None:
        show = watch
        state.tell = lambda: show(_as_run(state, box, started))
    _from_the_file(state)
    while state.children < MAX_CHILDREN and state.left() > 0:
        state.begin_child()
        begun = time.monotonic()
        child = box.spawn(job.limits)
        took_s = time.monotonic() - begun
        state.fork_s += took_s
        state.deadline += took_s  # the grader's fault
        try:
            done = _attempt(child, state)
        finally:
            exit_ = child.end()
            state.cpu_s += exit_.cpu_s
            state.peak_mb = max(state.peak_mb, exit_.peak_mb)
        if done and job.apart and not state.apart:
            state.apart = True
            # The second run has its own time.
            state.deadline += time.monotonic() - started  # the notebook runs twice
        elif state.pretend or (done and not job.pretend):
            break
        else:
            state.pretend = done
    state.close()
    return _as_run(state, box, started)


def _as_run(state: RunAccount, box: Box, started: float) -> Run:
    measured = Measured(
        round(state.cpu_s, 6),
        round(time.monotonic() - started, 6),
        round(state.peak_mb, 1),
        state.children,
        box.isolation.level,
        box.isolation.layers,
        state.job.limits,
        round(state.fork_s, 6),
        round(state.cells_s, 6),
        round(state.calls_s, 6),
        capability=box.capability,
        waited_s=round(state.waited_s, 6),
    )
    return Run(*state.so_far(), measured)


def _from_the_file(state: RunAccount) -> None:
    """Record what needs no question."""
    for probe in state.job.probes:
        if isinstance(probe.request, GivenText):
            text = probe.request.text
            claim = Outcome("missing") if text is None else Outcome("returned", text)
            state.probes[probe.id] = ProbeRun(probe.id, claim, None, NOTHING)


def _attempt(child: Child, state: RunAccount) -> bool:
    """One child's life; False when it died and another one should continue.

    With a simulated accelerator the cells only prepare the calls: how they end there, and what they
    print and draw, is not kept. There is one such child.
    """
    job = state.job
    draw = job.draw and not state.pretend
    output_bytes = job.limits.output_kb * 1024
    begin = Begin(job.seed, output_bytes, draw, state.pretend, beside=job.beside, data=job.data)
    if job.device:
        _begin_on_device(child, state, begin)
    elif not _ask(child, state, begin, READ_CPU_S, READ_WALL_S).alive:
        return False
    after: dict[int, list[str]] = {}
    for exercise, number in job.keep_after:
        after.setdefault(number, []).append(exercise)
    for cell in job.cells:
        if cell.number not in state.cut and not _run_cell(child, state, cell.number):
            return False
        for exercise in after.get(cell.number, ()):
            if not _keep(child, state, exercise):
                return False
    return (state.pretend or _read_late(child, state)) and _calls(child, state)


def _begin_on_device(child: Child, state: RunAccount, begin: Begin) -> None:
    """No student code has run yet: an error here is the grader's, and raises ``SandboxError``. The
    time it takes does not count for the notebook."""
    device, device_mb = state.job.device, state.job.limits.device_mb
    request = msgspec.structs.replace(begin, device=device, device_mb=device_mb)
    begun = child.ask(request, cpu_s=DEVICE_CPU_S, wall_s=DEVICE_WALL_S)
    state.deadline += begun.spent.wall_s  # the time of a context is nobody's
    state.count(request, begun.spent.wall_s)
    # A device that cannot be used is our fault.
    if not isinstance(begun.answer, Kept) or not begun.alive:
        said = begun.answer.error if isinstance(begun.answer, Outcome) else None
        why = said.text if said is not None else str(begun.stop)
        raise SandboxError(f"{device} could not be used inside the sandbox: {why[:400]}")
    child.started()


def _lost(child: Child, state: RunAccount, error: Error | None) -> bool:
    """End a child that can no longer use its device: everything after that would fail for this
    reason alone."""
    # A lost device only where there is one.
    if not state.job.device or error is None or not says_device_lost(error):
        return False
    child.end()
    return True


def _run_cell(child: Child, state: RunAccount, number: int) -> bool:
    limits = state.job.limits
    cell = next(c for c in state.job.cells if c.number == number)
    if state.left() <= 0:
        return True
    request = RunCell(number, cell.source, cell.exercise)
    held = child.held_mb()
    answered = _ask(child, state, request, limits.cell_cpu_s, limits.cell_wall_s)
    claim = answered.answer if isinstance(answered.answer, CellDone) else None
    if state.pretend or state.apart:  # cells beside an accelerator are not kept
        if not answered.alive:
            state.cut.add(number)
        return answered.alive
    if claim is not None and answered.alive:
        state.grown[number] = child.held_mb() - held
        if _starved(child, state, claim.error):
            return False
    if _ended_for_another(state, answered):
        return False
    if number not in state.cells or not answered.alive:
        stop = answered.stop or (OTHER_QUESTION if claim is None else None)
        state.cells[number] = CellRun(number, claim, stop, answered.spent)
    alive = answered.alive and not _lost(child, state, claim.error if claim is not None else None)
    if not alive:
        state.cut.add(number)
    return alive


def _starved(child: Child, state: RunAccount, error: Error | None) -> bool:
    """Leave out the cell that holds the memory which something else now lacks.

    That memory ran out is the inside's claim; who holds how much is measured from outside.
    """
    if error is None or not says_no_memory(error) or child.held_mb() < STARVED * _limit(state):
        return False
    cut = _cut_greediest(state)
    if cut:
        child.end()
    return cut


def _ended_for_another(state: RunAccount, answered: ChildAnswer) -> bool:
    """Leave out the cell that held the memory for lack of which the process ended during something
    else: with hardly any left, not even an exception can be reported."""
    if answered.alive or answered.stop is None or state.pretend or state.apart:
        return False
    share = {"memory": STARVED, "died": NEARLY_ALL}.get(answered.stop.cause)
    held_mb = sum(state.grown.values())
    return share is not None and held_mb >= share * _limit(state) and _cut_greediest(state)


def _cut_greediest(state: RunAccount) -> bool:
    """Leave out from now on the cell that took most memory; False when none took much. Anything
    else that failed in this child may have failed for lack of it, whatever it reported."""
    culprit, grown = max(state.grown.items(), key=lambda entry: entry[1], default=(0, 0.0))
    if grown < GREEDY * _limit(state):
        return False
    claim = state.cells[culprit].claim if culprit in state.cells else None
    state.forget_child()  # what a child without memory told is asked again
    state.cut.add(culprit)
    state.cells[culprit] = CellRun(culprit, claim, too_much_memory(state.job.limits), NOTHING)
    return True


def _limit(state: RunAccount) -> int:
    return state.job.limits.memory_mb


def _keep(child: Child, state: RunAccount, exercise: str) -> bool:
    """Keep the namespace as it is, and read this exercise's names from it.

    All in one request; if that kills the child, one by one in the next child, to find the culprit.
    """
    if state.left() <= 0:
        return True
    wanted = [
        p
        for p in state.job.probes
        if p.exercise == exercise and p.id not in state.probes and isinstance(p.request, Read)
    ]
    together = not state.stops[f"keep {exercise}"]
    reads = tuple(p.request for p in wanted if isinstance(p.request, Read))
    request = Keep(exercise, reads if together else ())
    answered = _ask(child, state, request, READ_CPU_S, READ_WALL_S)
    if _ended_for_another(state, answered):
        return False
    if not answered.alive:
        state.stops[f"keep {exercise}"] += 1
        return False
    outcomes = answered.answer.outcomes if isinstance(answered.answer, Kept) else ()
    if any(_lost(child, state, outcome.error) for outcome in outcomes):
        state.stops[f"keep {exercise}"] += 1
        return False
    if not together or len(outcomes) != len(wanted):
        return all(_probe(child, state, p) for p in wanted) and _tests(child, state, exercise)
    for probe, outcome in zip(wanted, outcomes, strict=True):
        state.probes[probe.id] = ProbeRun(probe.id, outcome, answered.stop, NOTHING)
    return _tests(child, state, exercise)


def _tests(child: Child, state: RunAccount, exercise: str = "") -> bool:
    """The open tests of one exercise, or of all, in place and in order.

    The hidden ones wait for a separate child, in which the others are run again: a test may depend
    on what an earlier one has left behind.
    """
    for probe in state.job.probes:
        request = probe.request
        if not isinstance(request, Test) or exercise not in ("", probe.exercise):
            continue
        known, alive = state.probes.get(probe.id), True
        # Hidden tests of another tool run where nobody sees what is printed.
        if known is None and (state.apart or not request.hidden):
            alive = _probe(child, state, probe)
        # The shown part of a hidden test runs.
        elif known is None and request.shown and probe.id not in state.ended:
            shown = msgspec.structs.replace(request, sources=(request.shown,), shown="")
            alive = _ask_probe(child, state, shown).alive
            # A shown part that ends the process is not run again.
            state.ended |= set() if alive else {probe.id}
        elif exercise and state.apart and known is not None and known.stop is None:
            alive = _ask_probe(child, state, request).alive
        if not alive:
            return False
    return True


def _read_late(child: Child, state: RunAccount) -> bool:
    """After the last cell: figures, names that did not exist after their exercise, and the names of
    exercises that have no cell."""
    for probe in state.job.probes:
        if isinstance(probe.request, Call | GivenText | Test):
            continue
        known = state.probes.get(probe.id)
        asked = probe
        if isinstance(probe.request, Read):
            asked = Probe(
                probe.id, probe.exercise, Read(probe.exercise, probe.request.name, latest=True)
            )
            if known is not None and known.claim is not None and known.claim.status == "missing":
                known = None
        if known is None and not _probe(child, state, asked):
            return False
    return _tests(child, state)


def _calls(child: Child, state: RunAccount) -> bool:
    waiting = state.turn()
    while waiting:
        together = state.together(waiting)
        del waiting[: len(together)]
        if len(together) > 1 and not _probe_together(child, state, together):
            return False
        if not all(_probe(child, state, p) for p in together if p.id not in state.probes):
            return False
    return True


def _probe_together(child: Child, state: RunAccount, probes: Sequence[Probe]) -> bool:
    """Calls that are sent together; False when the child is gone. Names missing from the exercise's
    namespace are left open."""
    requests = [probe.request for probe in probes if isinstance(probe.request, Call)]
    answers = _ask_each(child, state, requests)
    for probe, answered in zip(probes, answers, strict=False):
        outcome = answered.answer if isinstance(answered.answer, Outcome) else None
        if outcome is not None and outcome.status == "missing" and answered.stop is None:
            continue
        if not _record(child, state, probe, answered):
            return False
        # What is on its way behind a stopped call is asked anew.
        if answered.stop is not None or (is_simulated(probe) and state.simulated_enough()):
            child.end()  # the rest is on its way to it
            return False
    return True


def _probe(child: Child, state: RunAccount, probe: Probe) -> bool:
    """Ask one question, unless it is known to be pointless; False when the child is gone."""
    request = probe.request
    assert not isinstance(request, GivenText), "recorded before any child was there"
    if state.left() <= 0:
        return True
    target = target_of(probe)
    known = state.reasons[target] if state.stops[target] >= MAX_STOPS_PER_TARGET else None
    known = known or (TOO_MUCH if is_simulated(probe) and state.simulated_enough() else None)
    if known is not None:
        state.probes[probe.id] = ProbeRun(probe.id, None, known, NOTHING)
        return True
    answered = _ask_probe(child, state, request)
    outcome = answered.answer if isinstance(answered.answer, Outcome) else None
    absent = outcome is not None and outcome.status == "missing"
    if absent and answered.alive and isinstance(request, Call) and not state.pretend:
        if is_simulated(probe):
            state.count_simulated(answered)
        answered = _ask_probe(child, state, msgspec.structs.replace(request, latest=True))
    return _record(child, state, probe, answered)


def _record(child: Child, state: RunAccount, probe: Probe, answered: ChildAnswer) -> bool:
    """Record the result of one question; False when the child is gone."""
    simulated, target = is_simulated(probe), target_of(probe)
    if simulated:
        state.count_simulated(answered)
    outcome = answered.answer if isinstance(answered.answer, Outcome) else None
    stop = answered.stop or (OTHER_QUESTION if outcome is None else None)
    if state.pretend:
        state.probes[probe.id] = ProbeRun(probe.id, outcome, stop, answered.spent)
        return answered.alive
    error = outcome.error if outcome is not None and not simulated else None  # copies take room
    # A process that ends for want of memory costs the cell that holds it.
    if (answered.alive and _starved(child, state, error)) or _ended_for_another(state, answered):
        return False
    state.probes[probe.id] = ProbeRun(probe.id, outcome, stop, answered.spent)
    if stop is not None:
        state.stops[target] += 1
        state.reasons[target] = stop
    elif outcome is not None and answered.spent.cpu_s <= AT_ONCE_S:
        state.at_once.add(target)
    if outcome is None or not answered.alive or not _lost(child, state, outcome.error):
        return answered.alive
    state.stops[target] += 1
    state.reasons[target] = DEVICE_LOST
    return False


def _ask_probe(
    child: Child, state: RunAccount, request: Read | Call | Figures | Test
) -> ChildAnswer:
    limits = state.job.limits
    if isinstance(request, Call | Test):
        return _ask(child, state, request, limits.call_cpu_s, limits.call_wall_s)
    return _ask(child, state, request, READ_CPU_S, READ_WALL_S)


def _ask(
    child: Child, state: RunAccount, request: Request, cpu_s: float, wall_s: float
) -> ChildAnswer:
    """Ask within this request's limits and what is left of the run's; every answer counts."""
    state.tell()
    left = max(state.left(), 0.01)
    begun = time.monotonic()
    answered = child.ask(request, cpu_s=cpu_s, wall_s=min(wall_s, left))
    state.count(request, time.monotonic() - begun)
    return _counted(state, answered, ours=left < wall_s)


def _ask_each(
    child: Child, state: RunAccount, requests: Sequence[Request]
) -> Iterator[ChildAnswer]:
    """Ask several calls together, each within its own limits and what is left of the run's."""
    cpu_s, limit_s = state.job.limits.call_cpu_s, state.job.limits.call_wall_s

    def wall_s() -> float:
        return min(limit_s, max(state.left(), 0.01))

    answers = child.ask_each(requests, cpu_s=cpu_s, wall_s=wall_s)
    for request in requests:
        state.tell()
        ours, begun = state.left() < limit_s, time.monotonic()
        answered = next(answers)
        state.count(request, time.monotonic() - begun)
        yield _counted(state, answered, ours=ours)


def _counted(state: RunAccount, answered: ChildAnswer, *, ours: bool) -> ChildAnswer:
    """Add an answer to what the run has used up; ``ours``: the limit was what was left of it."""
    state.weight += answered.weight
    state.deadline += answered.waited_s
    state.waited_s += answered.waited_s
    # A process that somebody ends politely is run again.
    if state.doubt_kills and answered.stop in ENDED:
        raise Killed("a child was killed, and not by the grader")
    if ours and answered.stop is not None and answered.stop.cause == "wall":
        return replace(answered, stop=Stop("wall", state.used_up()))
    return answered
