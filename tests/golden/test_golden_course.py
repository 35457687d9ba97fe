"""A tenth of the golden outcomes of the course's own assignments."""

from __future__ import annotations

import pytest

from autograder.sandbox.lazy import LazyBox
from tests.golden.tenth import assert_unchanged


@pytest.mark.parametrize(
    "assignment",
    [
        "embedding-fundamentals",
        "embedding-layer",
        "embeddings-and-position",
        "rotary-and-unembedding",
    ],
)
def test_a_tenth_of_the_outcomes(assignment: str, warm_box: LazyBox) -> None:
    assert_unchanged(assignment, warm_box)
