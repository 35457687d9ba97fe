"""What stands in for an earlier exercise offers what its text lets a student use."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder.assignment.arguments import (
    made,
    slot,
    stand_in_language_model,
    stand_in_model,
    stand_in_tokenizer,
)
from autograder.runner.calls import call
from autograder.runner.dressed import undressed
from autograder.runner.objects import build
from autograder.runner.stand_ins import FUNCTIONS, LanguageModel, called_like
from autograder.wire.messages import Call, StandIn

V, D = 7, 4
TOKENS, HEAD = torch.randn(V, D), torch.randn(V, D)
IDS, TARGETS = torch.tensor([[1, 2, 6]]), torch.tensor([[2, -1, 0]])


class Own(nn.Module):
    """A student's model, with names, a method and a loss that nobody else has."""

    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__()
        self.n_embd = width
        self.wte = nn.Embedding(vocabulary, width)
        self.out = nn.Parameter(torch.zeros(width, vocabulary))  # turned

    def forward(self, ids: Any, y: Any = None) -> Any:
        raise NotImplementedError("a wrong model")

    def groups(self) -> list[nn.Parameter]:
        return [self.wte.weight, self.out]


class Tied(Own):
    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__(vocabulary, width)
        self.out = nn.Parameter(self.wte.weight.detach().T)
        self.wte.weight = self.out.T  # type: ignore[assignment]


class Biased(Own):
    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__(vocabulary, width)
        self.bias = nn.Parameter(torch.zeros(vocabulary))


class Frozen(Own):
    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__(vocabulary, width)
        self.out.requires_grad_(False)


def handed_in(own: object) -> Any:
    state = [slot(TOKENS, zero=False), slot(HEAD, zero=True)]
    like = made("Own", V, D, state=state)
    return build(stand_in_language_model(TOKENS, HEAD, like=like), {"Own": own})


def test_a_model_to_be_trained_has_all_that_the_students_class_has() -> None:
    model, plain = handed_in(Own), LanguageModel(TOKENS, HEAD)
    assert isinstance(model, Own) and model.n_embd == D
    assert [name for name, _ in model.named_parameters()] == ["out", "wte.weight"]
    for moved in (model, copy.deepcopy(model), model.to("cpu")):
        logits, loss = moved(IDS, y=TARGETS)
        right, right_loss = plain(IDS, TARGETS)
        assert torch.allclose(logits, right) and torch.allclose(loss, right_loss)
        assert moved(IDS)[1] is None
    optimizer = torch.optim.SGD(model.groups(), lr=0.1)
    model(IDS, TARGETS)[1].backward()
    optimizer.step()
    now = undressed(model)
    assert type(now) is LanguageModel
    assert torch.equal(now.table, model.wte.weight) and torch.equal(now.head, model.out.T)
    assert not torch.equal(now.table, TOKENS) and not torch.equal(now.head, HEAD)


@pytest.mark.parametrize(
    "own",
    [Tied, Biased, Frozen, 3, lambda v, d: 1 / 0, nn.Linear],
    ids=["tied", "biased", "frozen", "number", "raises", "another class"],
)
def test_a_wrong_class_of_the_students_costs_training_nothing(own: object) -> None:
    model = handed_in(own)
    assert type(model) is LanguageModel
    assert len(list(model.parameters())) == 2 and model.n_embd == D
    assert model.get_learning_rate_scale() == 1.0


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_keywords_go_to_a_stand_in_as_to_the_students_own_function(kind: str) -> None:
    def own(first: object, second: object, third: object = None) -> None: ...

    class OwnClass:
        def __init__(self, first: object, second: object) -> None: ...

    given: dict[str, list[Any]] = {
        "turn": [torch.rand(1, 3, 2, 4), FUNCTIONS["complex_table"](4, 3)],
        "alike": [torch.rand(3), torch.rand(3, 3)],
        "token_code": [3, 5],
        "token_vector": [3, torch.rand(5, 4).numpy()],
        "next_words": ["a b", {"b": 0, "a": 1}],
    }
    first, second = given.get(kind, (6, 4))
    for like in (own, OwnClass):
        stand_in = called_like(FUNCTIONS[kind], like)
        assert _same(stand_in(second=second, first=first), FUNCTIONS[kind](first, second))


@pytest.mark.parametrize("kind", ["token_code", "token_vector"])
def test_a_stand_in_tells_the_ids_and_is_no_answer(kind: str) -> None:
    table = torch.rand(5, 5, dtype=torch.float64)
    given = {"token_code": 5, "token_vector": table.numpy()}[kind]
    rows = torch.stack([FUNCTIONS[kind](token, given).double() for token in range(5)])
    assert float(torch.pdist(rows).min()) > 1e-3
    for answer in (torch.eye(5, dtype=torch.float64), table):
        assert float((rows - answer).abs().amax(dim=1).min()) > 1e-3


def test_next_words_have_the_form_of_one_hot_rows_and_not_their_places() -> None:
    rows = FUNCTIONS["next_words"]("The  cat the DOG", {"cat": 0, "the": 2, "sat": 1})
    assert rows.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    "change",
    ["it.max_seq_len -= 1", "it.table.data.zero_()", "words.words.pop()", "words.words.reverse()"],
)
def test_a_change_of_what_our_objects_hold_is_noticed(change: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def use(it, words): {change}", names)
    given = (stand_in_model(TOKENS, 5), stand_in_tokenizer(["a", "b"]))
    outcome = call(names, Call("x", "use", given))
    assert outcome.changed == (int("words" in change),)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, nn.Module):
        pairs = zip(one.state_dict().values(), other.state_dict().values(), strict=True)
        return all(_same(*pair) for pair in pairs)
    return torch.equal(one, other)


def test_a_call_binds_the_stand_ins_keywords() -> None:
    def table(rows: int, columns: int) -> torch.Tensor:
        raise ValueError("wrong")

    def use() -> torch.Tensor:
        return names["table"](columns=3, rows=5)  # type: ignore[no-any-return]

    names: dict[str, Callable[..., Any]] = {"table": table, "use": use}
    outcome = call(names, Call("x", "use", (), stand_ins=(StandIn("table", "table"),)))
    assert getattr(outcome.value, "shape", None) == (5, 3)


def test_a_tokenizer_shows_its_words() -> None:
    tokenizer = build(stand_in_tokenizer(["a", "b c"]), {})
    assert tokenizer.words == ["a", "b c"] and tokenizer.decode([1]) == "b c"


def test_how_alike_vectors_are_says_nothing_of_their_lengths() -> None:
    a, b = torch.randn(2, 9, dtype=torch.float64)
    alike = FUNCTIONS["alike"]
    assert torch.isclose(alike(a, b), alike(3 * b, 0.1 * a))
    assert abs(float(alike(a.numpy(), list(b.numpy()))) - float(alike(a, b))) < 1e-12
    cosine = alike(a, b) / (alike(a, a) * alike(b, b)).sqrt()
    assert torch.isclose(cosine, torch.nn.functional.cosine_similarity(a, b, dim=0))
    assert not torch.isclose(cosine, alike(a, b)) and float(alike(a, 0 * b)) == 0
