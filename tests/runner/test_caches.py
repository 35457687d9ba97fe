"""What a notebook's functions keep for later does not outlive a change of an earlier part."""

from __future__ import annotations

from functools import partial

import pytest
import torch

from autograder.grading.context import PreparedClass
from autograder.sandbox.box import Box
from autograder.wire.messages import Begin, Call, CallEnvironment, Limits, Outcome, RunCell, StandIn
from autograder.wire.tensors import to_wire
from autograder.wire.values import Value
from tests.support.changed_solution import graded, lost
from tests.support.tables import table_beside

WRONG = (
    "return torch.outer(torch.arange(rows) + 1.0, torch.arange(columns) + 1.0)",
    "return torch.zeros(rows, columns)",
)
USE = "rows = rows * self.scale + waves(ids.shape[-1], rows.shape[-1])"
BEGIN = "class Layer(nn.Module):\n"
KEPT = table_beside(__file__)


@pytest.mark.parametrize("way", KEPT)
def test_what_an_earlier_part_gave_is_not_kept_for_its_stand_in(
    ready: PreparedClass, way: str
) -> None:
    changes = ((USE, USE.replace("waves", "kept")), (BEGIN, KEPT[way] + BEGIN))
    assert lost(graded(ready, *changes)) == {}
    assert "Layer/stage" not in lost(graded(ready, WRONG, *changes))


CACHED = """
import torch

def waves(rows, columns):
    return torch.zeros(rows, columns)

KEPT = {}

def layer(ids):
    key = (ids.device, ids.shape)
    if key not in KEPT:
        KEPT[key] = waves(*ids.shape)
    return KEPT[key] + ids
"""


def test_what_an_earlier_part_gave_is_not_kept_for_its_stand_in_on_a_device(plain_box: Box) -> None:
    """From one device to the next it is kept: that may be the mistake which is looked for."""
    child = plain_box.spawn(Limits())
    ask = partial(child.ask, cpu_s=20, wall_s=60)
    args, stand_in = (to_wire(torch.ones(2, 3)),), (StandIn("waves", "table"),)

    def asked(stand_ins: tuple[StandIn, ...], place: CallEnvironment | None) -> Value:
        outcome = ask(Call("e", "layer", args, stand_ins=stand_ins, place=place)).answer
        assert isinstance(outcome, Outcome) and outcome.status == "returned", outcome
        return outcome.value

    try:
        ask(Begin(1, 10_000, False))
        ask(RunCell(1, CACHED))
        own, apart = asked((), None), asked(stand_in, None)
        assert asked(stand_in, CallEnvironment()) == apart != own
        assert asked((), CallEnvironment()) == own
    finally:
        child.end()
