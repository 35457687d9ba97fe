"""Answers of the right form and no content earn nothing for what they return."""

from __future__ import annotations

import pytest
from test_flagship import grades_of, lost

from autograder.classroom import Prepared
from autograder.notebook.read import read
from autograder.notebook.variant import Variant, apply_variant
from autograder.spec.load import Loaded

SHAPES = {
    "one_hot_equivalence": ("one_hot_lookup(weight, token_ids)", "*token_ids.shape, weight.shape[1]"),
    "cosine_similarity": ("cosine_similarity(a, b)", ""),
    "positional_encoding": ("sinusoidal_positional_encoding(max_len, d_model)", "max_len, d_model"),
    "input_pipeline": (
        "embed_tokens(token_embedding, token_ids)",
        "*token_ids.shape, token_embedding.embedding_dim",
    ),
}
RESULTS = {
    "zeros": "torch.zeros({})",
    "ones": "torch.ones({})",
    "noise": "torch.rand({}) * 2 - 1",
    "the same noise": "torch.rand({}, generator=torch.Generator().manual_seed(1)) * 2 - 1",
    "nothing": "None",
}
ABOUT_FUNCTIONS = {
    "one_hot_equivalence": {"function-example", "function", "gradient"},
    "cosine_similarity": {"example", "vectors", "directions", "zero-vector"},
    "positional_encoding": {
        "example", "small", "medium", "long", "odd-width", "bounds-and-rows", "no-rows", "dtype",
        "speed",
    },
    "input_pipeline": {"function-example", "function", "arguments", "gradient"},
}  # fmt: skip


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_without_content_earns_nothing(
    flagship: Loaded, prepared: Prepared, result: str
) -> None:
    solution = read(flagship.solution)
    handed = {}
    for exercise, (head, shape) in SHAPES.items():
        own = next(c.source for c in solution.cells if c.exercise == exercise)
        shaped = RESULTS[result].format(shape or "()")
        code = f"{own}\n\n\ndef {head}:\n    return {shaped}\n"
        handed[exercise] = apply_variant(solution, Variant(result, exercise, result, "", code))
    for exercise, graded in grades_of(prepared, handed).items():
        assert ABOUT_FUNCTIONS[exercise] <= set(lost(graded.grade)[exercise])


def test_a_table_that_a_later_cell_trains_is_no_mistake(
    flagship: Loaded, prepared: Prepared
) -> None:
    solution = read(flagship.solution)
    own = next(c.source for c in solution.cells if c.exercise == "bag_of_words")
    code = f"{own}\nwith torch.no_grad():\n    embedding.weight[3] -= 0.1\n"
    trained = apply_variant(solution, Variant("trained", "bag_of_words", "", "", code))
    assert lost(grades_of(prepared, {"trained": trained})["trained"].grade) == {}
