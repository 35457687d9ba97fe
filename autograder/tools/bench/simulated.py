"""What the simulated accelerator costs: the same submission with and without its calls."""

from __future__ import annotations

import statistics

import msgspec

from autograder.grading.context import PreparedClass
from autograder.grading.job import make_job
from autograder.notebook.submission import Submission
from autograder.sandbox.account import is_simulated
from autograder.sandbox.box import Box
from autograder.tools.bench.measure import begun_with, run_cpu

ASKS = "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"


def simulated_ms(
    prepared: PreparedClass, box: Box, submission: Submission, *, rounds: int
) -> dict[str, float]:
    """Processor milliseconds of the simulated calls, for each exercise that has some.

    "calls": the calls alone; "asking": of a notebook that asks for an accelerator, whose cells
    are therefore run again beside one. Empty when no check of the assignment asks for devices.
    """
    job, _ = make_job(prepared.context, submission)
    exercises = {probe.exercise for probe in job.probes if is_simulated(probe)}
    if not exercises:
        return {}
    asking = begun_with(submission, ASKS)
    found: dict[str, list[float]] = {"calls": [], "asking": []}
    for number in range(rounds + 1):  # the first warms up
        for name, one in (("calls", submission), ("asking", asking)):
            whole, _ = make_job(prepared.context, one)
            without = msgspec.structs.replace(
                whole, pretend=False, probes=tuple(p for p in whole.probes if not is_simulated(p))
            )
            added = run_cpu(whole, box)[1] - run_cpu(without, box)[1]
            if number:
                found[name].append(1000 * added / len(exercises))
    return {name: round(statistics.median(values), 2) for name, values in found.items()}
