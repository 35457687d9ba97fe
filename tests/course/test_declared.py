"""What every assignment of the course declares, and what some of its answers earn.

All answers of assignments with a file in tests/golden are compared with it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import find
from autograder.authoring.validation.rules import problems
from autograder.authoring.validation.run import read_survivors
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import attempt
from autograder.authoring.validation.variants import tries
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.mutation.mutants import mutants
from autograder.notebook.formats.read import read
from autograder.sandbox.lazy import LazyBox
from tests.support.in_process import lending
from tests.support.kept_evidence import KeptEvidence
from tests.support.progress import QUIET

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = sorted(path.parent.name for path in ROOT.glob("assignments/*/assignment.toml"))
NOT_KEPT = [id_ for id_ in ASSIGNMENTS if not (ROOT / "tests/golden" / f"{id_}.txt").is_file()]
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


@pytest.mark.parametrize("assignment", NOT_KEPT)
def test_a_mistake_and_an_equivalent_of_each_exercise_are_judged_right(
    assignment: str, warm_box: LazyBox, kept_evidence: KeptEvidence, tmp_path: Path
) -> None:
    loaded, trials = load(find(assignment, ROOT)), TrialEngine(Local(2), QUIET)
    offer, every = prepare(loaded), tries(loaded, read(loaded.solution), mutated=False)
    firsts = {(one.sort, one.exercise): one for one in reversed(every) if one.sort != "trivial"}
    with lending(warm_box.box()), box_for(loaded, offer, require="weak") as box:
        context = make_context(loaded, offer, box, seed=7, draw=False, evidence=tmp_path)
        if all(check.kind != "speed" for e in loaded.spec.exercise for check in e.check):
            context = replace(context, store=kept_evidence)
        reference = prepare_reference(context, Local(2), QUIET.begin, mistakes=False)
        chosen = [one for one in firsts.values() if one.exercise not in context.unavailable]
        made = trials.in_order("Trying variants", chosen, partial(attempt, reference, short=True))
    assert len(chosen) > 10 and not [one.lost for one in made if one.lost]
    found = [f"{p.variant}: {p.text}" for p in problems(loaded, made)]
    assert not found, found
