"""One whole benchmark: rounds of all ways, then workers and memory."""

from __future__ import annotations

from autograder.classroom.known_mistakes import Report
from autograder.grading.context import PreparedClass
from autograder.notebook.formats.read import read
from autograder.sandbox.box import ALL_LAYERS, Box
from autograder.tools.bench.explanations import explanation_costs, explanation_figures
from autograder.tools.bench.layers import layers_cost
from autograder.tools.bench.measure import (
    Benchmark,
    BenchOptions,
    PlainProcess,
    bench_submission,
    child_memory_mb,
    measure_round,
    workers_ratio,
)
from autograder.tools.bench.simulated import simulated_ms

WORKER_ROUNDS = 3
LAYER_ROUNDS = 60


def run_bench(
    prepared: PreparedClass, box: Box, options: BenchOptions, report: Report
) -> Benchmark:
    """One whole benchmark; the first round warms up and is not counted."""
    rounds = options.rounds
    solution = read(prepared.context.loaded.solution)
    submission = bench_submission(solution, prepared, figures=options.figures)
    report("Measuring", rounds)
    with PlainProcess() as plain:
        measure_round(prepared, box, submission, plain)
        measured = [measure_round(prepared, box, submission, plain) for _ in range(rounds)]
    report("One worker against two", WORKER_ROUNDS)
    speedups = workers_ratio(prepared, submission, count=options.count, rounds=WORKER_ROUNDS)
    memory = child_memory_mb(prepared, box, submission)
    report("Layers of isolation", LAYER_ROUNDS)
    with Box(without=ALL_LAYERS) as bare:
        layers = layers_cost(box, bare, rounds=LAYER_ROUNDS)
    report("Simulated accelerator", rounds)
    simulated = simulated_ms(prepared, box, submission, rounds=rounds)
    report("Explanations", options.count)
    explained = explanation_figures(explanation_costs(prepared, box, count=options.count))
    return Benchmark(
        tuple(measured),
        tuple(speedups),
        memory,
        tuple(layers),
        simulated,
        explained,
        options.figures,
    )
