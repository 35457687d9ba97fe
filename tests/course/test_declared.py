"""What every assignment of the course declares. What its answers earn stands in tests/golden."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment.load import Loaded, load
from autograder.assignment.read import find
from autograder.authoring.validation.run import read_survivors
from autograder.mutation.mutants import mutants
from autograder.notebook.formats.read import read

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = sorted(path.parent.name for path in ROOT.glob("assignments/*/assignment.toml"))
TORCH = {  # what takes a tensor or a model
    "embedding-layer": {
        "manual_lookup",
        "TokenEmbedding",
        "PositionalEmbedding",
        "GPT2Embeddings",
        "embed_truncated",
        "embed_jsonl_record",
        "embed_on_device",
    },
    "rotary-and-unembedding": {
        "apply_rotary_emb",
        "EmbeddingLayer",
        "NanoChatEmbeddings",
        "train_steps",
    },
}


@pytest.fixture(params=ASSIGNMENTS)
def loaded(request: pytest.FixtureRequest) -> Loaded:
    return load(find(request.param, ROOT))


def test_every_explained_survivor_is_a_mutant(loaded: Loaded) -> None:
    names = {mutant.name for mutant in mutants(read(loaded.solution), loaded.spec)}
    assert set(read_survivors(loaded)) <= names


def test_every_check_has_a_hint_or_is_written(loaded: Loaded) -> None:
    for exercise in loaded.spec.exercise:
        for check in exercise.check:
            assert check.hint or check.kind == "written", f"{exercise.id}/{check.id}"


def test_everything_that_takes_a_tensor_or_a_model_is_tried_on_devices(loaded: Loaded) -> None:
    tried = {e.id for e in loaded.spec.exercise if "device" in {c.kind for c in e.check}}
    assert tried == TORCH.get(loaded.spec.id, tried)
