"""Assignment 1 proves itself."""

from tests.support.proof import Proof


class TestEmbeddingsAndPosition(Proof):
    id = "embeddings-and-position"
