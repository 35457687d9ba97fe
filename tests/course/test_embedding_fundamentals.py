"""Assignment 2 proves itself."""

from tests.support.proof import Proof


class TestEmbeddingFundamentals(Proof):
    id = "embedding-fundamentals"
