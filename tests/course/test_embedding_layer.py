"""Assignment 3 proves itself."""

import pytest

from autograder.assignment.load import Loaded
from autograder.reports.validation.model import Validation
from tests.support.proof import Proof

MOVERS = {
    "manual_lookup",
    "TokenEmbedding",
    "PositionalEmbedding",
    "GPT2Embeddings",
    "embed_truncated",
    "embed_jsonl_record",
}


class TestEmbeddingLayer(Proof):
    id = "embedding-layer"

    @pytest.mark.slow
    def test_a_mistake_of_devices_loses_the_check_of_devices_alone(self, found: Validation) -> None:
        rows = [row for row in found.rows if row.sort == "mistake" and "_device_" in row.name]
        for row in rows:
            lost = {check for check, status in row.statuses.items() if status != "passed"}
            assert lost == {f"{row.exercise}/devices"}, row.name
        assert {row.exercise for row in rows} == MOVERS
        assert len(rows) >= 25

    def test_everything_that_takes_a_tensor_or_a_model_is_tried_on_devices(
        self, loaded: Loaded
    ) -> None:
        tried = {e.id for e in loaded.spec.exercise if "device" in {c.kind for c in e.check}}
        assert tried == {*MOVERS, "embed_on_device"}
