"""Gradients that were never cleared are found whatever the optimiser makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.load import Loaded, load, make_cases
from autograder.classroom.known_mistakes import variants_in
from autograder.evidence.records import Measured, ProbeRun, Run, TimeSpent
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.registry import examine, probes
from autograder.judging.verdict import Status
from autograder.runner.calls import call
from autograder.wire.messages import Call

ROOT = Path(__file__).resolve().parents[2]
OPTIMISERS = (
    "SGD(p, lr=lr)",
    "SGD(p, lr=lr, momentum=0.9)",
    "SGD(p, lr=lr, momentum=0.9, nesterov=True)",
    "SGD(p, lr=lr, weight_decay=0.1)",
    "Adam(p, lr=lr)",
    "Adam(p, lr=lr, amsgrad=True)",
    "AdamW(p, lr=lr)",
    "AdamW([{'params': p[:1]}, {'params': p[1:], 'lr': lr / 2}], lr=lr)",
    "RMSprop(p, lr=lr)",
    "Adagrad(p, lr=lr)",
    "NAdam(p, lr=lr)",
    "Adadelta(p, lr=lr)",
    "RAdam(p, lr=lr)",
    "Adamax(p, lr=lr)",
    "ASGD(p, lr=lr)",
    "Rprop(p, lr=lr)",
)
ONE_BY_ONE = [  # two of them by default
    pytest.param(
        one,
        marks=() if one in ("SGD(p, lr=lr, momentum=0.9)", "Adam(p, lr=lr)") else pytest.mark.slow,
    )
    for one in OPTIMISERS
]
# what stands before the forward pass, before the backward pass and after the step
CLEARED = {
    "before the forward pass": ("optimizer.zero_grad()", "", ""),
    "before the backward pass": ("", "optimizer.zero_grad()", ""),
    "before all and after the step": (
        "if not losses: optimizer.zero_grad()",
        "",
        "optimizer.zero_grad()",
    ),
    "to zeros": ("", "optimizer.zero_grad(set_to_none=False)", ""),
    "by hand": ("", "for one in p: one.grad = None", ""),
    "by the model": ("", "model.zero_grad()", ""),
    "in place": ("", "[one.grad.zero_() for one in p if one.grad is not None]", ""),
}
REPEATED = {
    "never": ("", "", ""),
    "once, before all": ("if not losses: optimizer.zero_grad()", "", ""),
    "one of two": ("", "p[0].grad = None", ""),
    "every other time": ("", "if len(losses) % 2: optimizer.zero_grad()", ""),
    "clipped and kept": ("", "", "torch.nn.utils.clip_grad_norm_(p, 0.1)"),
    "after the step alone": ("", "", "optimizer.zero_grad()"),
}
LOOP = """
import torch
def train_steps(model, batches, lr):
    p = list(model.parameters())
    optimizer = torch.optim.{optimizer}
    losses = []
    for inputs, targets in batches:
        {first}
        {forward}
        {second}
        {backward}
        optimizer.step()
        {third}
        losses.append(loss.item())
    return losses
"""
GIVEN = """
import math
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
"""
FORWARD, BACKWARD = "_, loss = model(inputs, targets)", "loss.backward()"
CLIPPED = "loss.backward(); torch.nn.utils.clip_grad_norm_(p, 0.01)"
PARTS = (
    "for at in range(len(inputs)): (model(inputs[at:at + 1], targets[at:at + 1])[1] / "
    "len(inputs)).backward()"
)
LOOKED = "with torch.no_grad(): model(inputs, targets)"
BY_HAND = "for one, g in zip(p, torch.autograd.grad(loss, p)): one.grad = g"
CUT = "loss.backward(); torch.nn.utils.clip_grad_value_(p, 0.001)"


@pytest.fixture(scope="module")
def course() -> Loaded:
    return load(ROOT / "assignments" / "rotary-and-unembedding")


def status(
    course: Loaded,
    optimizer: str,
    clear: tuple[str, str, str],
    forward: str = FORWARD,
    backward: str = BACKWARD,
) -> Status:
    names = ("first", "second", "third")
    lines = {name: line or "pass" for name, line in zip(names, clear, strict=True)}
    code = LOOP.format(optimizer=optimizer, forward=forward, backward=backward, **lines)
    return examined(course, code)


def examined(course: Loaded, code: str) -> Status:
    """What the check finds in code that is run here."""
    exercise = next(e for e in course.spec.exercise if e.id == "train_steps")
    check = next(c for c in exercise.check if c.id == "cleared")
    cases = make_cases(course, 5)
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    records = []
    for probe in probes(check, exercise.id, cases):
        assert isinstance(probe.request, Call)
        outcome = call(namespace, probe.request)
        assert outcome.status == "returned", outcome
        records.append(ProbeRun(probe.id, outcome, None, TimeSpent(0.0, 0.0)))
    run = Run((), tuple(records), Measured(0.0, 0.0, 0.0, 0, "none", ()))
    return examine(check, exercise.id, run, Reference(run, cases, course.relations)).status


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ONE_BY_ONE)
def test_old_gradients_lose_with_every_optimiser(course: Loaded, optimizer: str) -> None:
    for name, clear in REPEATED.items():
        assert status(course, optimizer, clear) is Status.FAILED, name


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ONE_BY_ONE)
def test_gradients_may_be_cleared_anywhere(course: Loaded, optimizer: str) -> None:
    for name, clear in CLEARED.items():
        assert status(course, optimizer, clear) is Status.PASSED, name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forward", "backward"),
    [
        (FORWARD, CLIPPED),
        (FORWARD, CUT),
        (FORWARD, BY_HAND),
        (f"{LOOKED}\n        {FORWARD}", BACKWARD),
        (FORWARD, f"(5 * loss).backward()\n        {LOOKED}"),
    ],
)
def test_other_right_steps_pass(course: Loaded, forward: str, backward: str) -> None:
    for optimizer in ("SGD(p, lr=lr)", "Adam(p, lr=lr)"):
        clear = CLEARED["before the backward pass"]
        assert status(course, optimizer, clear, forward, backward) is Status.PASSED


def test_a_batch_in_parts_may_add_up(course: Loaded) -> None:
    """Within a batch gradients are added up on purpose; beyond it they are not."""
    forward = f"optimizer.zero_grad()\n        {PARTS}\n        loss = model(inputs, targets)[1]"
    assert status(course, "SGD(p, lr=lr)", ("", "", ""), forward, "pass") is Status.PASSED
    kept = forward.replace("optimizer.zero_grad()", "pass")
    assert status(course, "SGD(p, lr=lr)", ("", "", ""), kept, "pass") is Status.FAILED


@pytest.mark.slow
def test_the_equivalents_of_the_course_pass(course: Loaded) -> None:
    found = [v for v in variants_in(course, "equivalents") if v.exercise == "train_steps"]
    assert len(found) > 8
    for one in found:
        assert examined(course, GIVEN + one.code) is Status.PASSED, one.name
