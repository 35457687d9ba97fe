"""Objects of a student's class are filled by what their parameters do, not by names or order."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch import nn

from autograder.runner.objects import build, parameters_for
from autograder.spec.arguments import made, slot

V, D = 7, 4
TOKENS, HEAD = torch.randn(V, D), torch.randn(V, D)
TABLES = {
    "a layer": lambda: nn.Linear(D, V, bias=False),
    "an embedding": lambda: nn.Embedding(V, D),
    "a bare parameter": lambda: nn.Parameter(torch.randn(V, D)),
    "a turned parameter": lambda: nn.Parameter(torch.randn(D, V)),
    "a turned layer": lambda: nn.Linear(V, D, bias=False),
    "a leading axis": lambda: nn.Parameter(torch.randn(1, V, D)),
}


def model(tokens: str, head: str, *, head_first: bool, nested: bool) -> type[nn.Module]:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            held = {"tokens": TABLES[tokens](), "head": TABLES[head]()}
            nn.init.zeros_(getattr(held["head"], "weight", held["head"]))
            for name in sorted(held, reverse=not head_first):
                owner = self
                if nested and name == "tokens":
                    owner = self.inner = nn.Module()  # type: ignore[assignment]
                setattr(owner, name, held[name])

    return Model


@pytest.mark.parametrize(("tokens", "head"), list(itertools.product(TABLES, TABLES)))
def test_the_table_that_is_zero_in_a_new_model_is_its_head(tokens: str, head: str) -> None:
    slots = [slot(TOKENS, owner="Embedding", zero=False), slot(HEAD, owner="Linear", zero=True)]
    for head_first, nested in itertools.product((False, True), (False, True)):
        kind = model(tokens, head, head_first=head_first, nested=nested)
        for order in (1, -1):
            wish = made("Model", state=slots[::order])
            filled = build(wish, {"Model": kind})
            named = {name.split(".")[-2 if name.endswith("weight") else -1]: one
                     for name, one in filled.named_parameters()}  # fmt: skip
            for name, numbers in (("tokens", TOKENS), ("head", HEAD)):
                held = named[name].detach().squeeze(0)
                assert torch.equal(held if held.shape == (V, D) else held.T, numbers)
            again = parameters_for(filled, wish.slots)
            assert [one is named["tokens"] for one in again] == [order == 1, order == -1]


def test_where_both_start_alike_the_owner_decides() -> None:
    kind = model("an embedding", "a layer", head_first=True, nested=False)
    slots = [slot(TOKENS, owner="Embedding"), slot(HEAD, owner="Linear")]
    filled = build(made("Model", state=slots), {"Model": kind})
    assert torch.equal(filled.tokens.weight, TOKENS) and torch.equal(filled.head.weight, HEAD)
