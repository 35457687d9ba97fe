"""Assignment 4 proves itself."""

from tests.proof import Proof


class TestRotaryAndUnembedding(Proof):
    id = "rotary-and-unembedding"
