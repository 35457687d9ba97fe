"""Objects of a student's class are filled by what their parameters do, not by names or order."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch import nn

from autograder.assignment.arguments import made, slot
from autograder.runner.objects import build
from autograder.runner.parameters import parameters_for

V, D = 7, 4
TOKENS, HEAD = torch.randn(V, D), torch.randn(V, D)
FORMS = {
    "a layer": lambda: nn.Linear(D, V, bias=False),
    "an embedding": lambda: nn.Embedding(V, D),
    "a bare parameter": lambda: nn.Parameter(torch.randn(V, D)),
    "a turned parameter": lambda: nn.Parameter(torch.randn(D, V)),
    "a turned layer": lambda: nn.Linear(V, D, bias=False),
    "a leading axis": lambda: nn.Parameter(torch.randn(1, V, D)),
    "a list of modules": lambda: nn.ModuleList([nn.Embedding(V, D)]),
    "a list of parameters": lambda: nn.ParameterList([torch.randn(V, D)]),
    "a dictionary of parameters": lambda: nn.ParameterDict({"rows": torch.randn(V, D)}),
}


def parameter_of(form: nn.Module | nn.Parameter) -> nn.Parameter:
    return next(form.parameters()) if isinstance(form, nn.Module) else form


def model(tokens: str, head: str, *, head_first: bool, nested: bool) -> type[nn.Module]:
    """A class with two tables, of which ``marks`` says which is which; the head is zero."""

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            forms = {"tokens": FORMS[tokens](), "head": FORMS[head]()}
            nn.init.zeros_(parameter_of(forms["head"]))
            for name in sorted(forms, reverse=not head_first):
                owner = self
                if nested and name == "tokens":
                    owner = self.inner = nn.Module()  # type: ignore[assignment]
                setattr(owner, name, forms[name])
            self.marks = {name: [parameter_of(form)] for name, form in forms.items()}

    return Model


@pytest.mark.parametrize(("tokens", "head"), list(itertools.product(FORMS, FORMS)))
def test_the_table_that_is_zero_in_a_new_model_is_its_head(tokens: str, head: str) -> None:
    slots = [slot(TOKENS, owner="Embedding", zero=False), slot(HEAD, owner="Linear", zero=True)]
    for head_first, nested in itertools.product((False, True), (False, True)):
        kind = model(tokens, head, head_first=head_first, nested=nested)
        for order in (1, -1):
            wish = made("Model", state=slots[::order])
            filled = build(wish, {"Model": kind})
            (own_tokens,), (own_head,) = filled.marks["tokens"], filled.marks["head"]
            for parameter, numbers in ((own_tokens, TOKENS), (own_head, HEAD)):
                held = parameter.detach().squeeze(0)
                assert torch.equal(held if held.shape == (V, D) else held.T, numbers)
            again = parameters_for(filled, wish.slots)
            assert [one is own_tokens for one in again] == [order == 1, order == -1]


@pytest.mark.parametrize("tokens", FORMS)
def test_numbers_go_into_the_table_that_learns_and_not_into_a_frozen_one(tokens: str) -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fixed = nn.Parameter(torch.ones(V, D), requires_grad=False)
            self.positions = nn.Embedding.from_pretrained(torch.ones(V, D))
            self.inner = nn.Module()
            self.inner.tokens = FORMS[tokens]()

    filled = build(made("Model", state=[slot(TOKENS, owner="Embedding")]), {"Model": Model})
    assert bool((filled.fixed == 1).all()) and bool((filled.positions.weight == 1).all())
    held = parameter_of(filled.inner.tokens).detach().squeeze(0)
    assert torch.equal(held if held.shape == (V, D) else held.T, TOKENS)


def test_where_both_start_alike_the_owner_decides() -> None:
    kind = model("an embedding", "a layer", head_first=True, nested=False)
    slots = [slot(TOKENS, owner="Embedding"), slot(HEAD, owner="Linear")]
    filled = build(made("Model", state=slots), {"Model": kind})
    assert torch.equal(filled.tokens.weight, TOKENS) and torch.equal(filled.head.weight, HEAD)
