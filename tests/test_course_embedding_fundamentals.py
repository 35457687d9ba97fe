"""Assignment 2 proves itself."""

from tests.proof import Proof


class TestEmbeddingFundamentals(Proof):
    id = "embedding-fundamentals"
