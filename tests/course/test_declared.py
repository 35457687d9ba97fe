"""What every assignment of the course declares, and what its answers earn by tests/golden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.assignment.load import Loaded, load
from autograder.assignment.read import find
from autograder.authoring.validation.run import read_survivors
from autograder.mutation.mutants import mutants
from autograder.notebook.formats.read import read
from tests.golden.outcomes import read_blocks

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


def test_right_answers_earn_everything_and_mistakes_do_not(loaded: Loaded) -> None:
    golden = read_blocks(ROOT / "tests" / "golden" / f"{loaded.spec.id}.txt")
    assert len(golden) > 100
    points = re.compile(r"  ([\d.]+)/([\d.]+)(?:, bonus [\d.]+/([\d.]+))?\n")
    everything = {"solution": True, "equivalent": True, "mistake": False, "template": False}
    for name, block in golden.items():
        if (sort := name.partition("/")[0]) in everything:
            found = points.search(block)
            assert found is not None, name
            full = float(found[1]) == float(found[2]) + float(found[3] or 0)
            assert full == everything[sort], name
