"""Runs the grader's probes on a student's live names, with the same kind of answers.

Covered: the session is left as it was found, except for what ``settings_kept``, ``objects`` and
``quiet`` list as not covered. Not covered: a call that is stopped at the very moment when the
simulated accelerator is switched on or off.
"""

from __future__ import annotations

import contextlib
import importlib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.evidence.records import Measured, ProbeRun, Run, Stop, TimeSpent
from autograder.runner import calls
from autograder.student.objects import bindings_kept, objects_kept
from autograder.student.quiet import quiet
from autograder.student.watch import CallWatch
from autograder.wire.messages import Call, Figures, GivenText, Limits, Outcome, Probe, Read, Test

READ_S = 30.0
NOT_MEASURED = TimeSpent(0.0, 0.0)
STOPPED = "You stopped the checks."
_TORCH = "autograder.student.torch_settings"
PutBack = Callable[[], object]


@dataclass(frozen=True, slots=True)
class LiveAnswers:
    """The answers. ``ended``: why the rest was not asked, in a sentence; "" when all was asked."""

    run: Run
    ended: str = ""


def ask(
    probes: Sequence[Probe],
    namespace: dict[str, Any],
    shown: Callable[[Figures], Outcome],
    limits: Limits,
) -> LiveAnswers:
    """One record for each probe that can be asked here. ``shown`` answers for figures.

    Once a call of a function was stopped, its other calls are not tried.
    """
    records: list[ProbeRun] = []
    stops: dict[str, Stop] = {}
    with CallWatch() as watch, settings_kept(), objects_kept(namespace):
        for probe in probes:
            if watch.interrupted:
                break
            target = probe.request.target if isinstance(probe.request, Call) else probe.id
            outcome, stop = None, stops.get(target)
            if stop is None:
                outcome, stop = _answer(probe, namespace, shown, limits, watch)
            if stop is not None:
                stops[target] = stop
            records.append(ProbeRun(probe.id, outcome, stop, NOT_MEASURED))
    return LiveAnswers(as_run(records, limits), STOPPED if watch.interrupted else "")


def can_be_asked(probe: Probe, *, simulated: bool) -> bool:
    """Whether a probe can be answered in a session: not costs and not real accelerators; simulated
    ones where possible."""
    request = probe.request
    if not isinstance(request, Call):
        return not isinstance(request, Test | GivenText)
    place = request.place
    if place is not None and place.simulated:
        return simulated
    return not request.discard and (place is None or place.device == "cpu")


def as_run(records: Sequence[ProbeRun], limits: Limits = Limits()) -> Run:  # noqa: B008  frozen
    """Records as a run without measurements."""
    return Run((), tuple(records), Measured(0.0, 0.0, 0.0, 0, "none", (), limits))


def _answer(
    probe: Probe,
    namespace: dict[str, Any],
    shown: Callable[[Figures], Outcome],
    limits: Limits,
    watch: CallWatch,
) -> tuple[Outcome | None, Stop | None]:
    request = probe.request
    if isinstance(request, Figures):
        return shown(request), None
    with quiet(), bindings_kept(namespace):
        if isinstance(request, Read):
            name = request.name
            return watch.call(lambda: calls.read(namespace, name), READ_S)
        assert isinstance(request, Call), (
            "tests and questions about the file are not asked in a session"
        )
        return watch.call(lambda: calls.call(namespace, request), limits.call_wall_s)


@contextlib.contextmanager
def settings_kept() -> Iterator[None]:
    """A context manager that restores all settings and generators at its end."""
    steps = list(_noted())
    try:
        yield
    finally:
        for put_back in steps:
            with contextlib.suppress(Exception):  # torch may refuse one, but not the others
                put_back()


def _noted() -> Iterator[PutBack]:
    for note in (_python, _numpy, *_of_torch()):
        with contextlib.suppress(Exception):  # a setting that this torch does not have
            yield note()


def _of_torch() -> Sequence[Callable[[], PutBack]]:
    """How torch's are recorded, if the notebook has imported it."""
    if "torch" not in sys.modules:
        return ()
    notes: Sequence[Callable[[], PutBack]] = importlib.import_module(_TORCH).NOTES
    return notes


def _python() -> PutBack:
    state = random.getstate()
    return lambda: random.setstate(state)


def _numpy() -> PutBack:
    state = np.random.get_state()
    return lambda: np.random.set_state(state)
