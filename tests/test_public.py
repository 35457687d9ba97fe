"""The public evidence: what students get holds nothing of a hidden check."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom import Prepared
from autograder.engines.local import Inline
from autograder.errors import StoreError
from autograder.public import (
    PublicEvidence,
    differences,
    public_bytes,
    public_evidence,
    read_public,
)
from autograder.release import Release, made_release
from autograder.wire.messages import Outcome
from tests.courses import SMALL, write_course


@pytest.fixture(scope="module")
def public(prepared: Prepared) -> PublicEvidence:
    setting = prepared.setting
    return public_evidence(setting.loaded, setting.cases, prepared.expected)


def test_it_holds_public_calls_and_no_hidden_ones(
    public: PublicEvidence, prepared: Prepared
) -> None:
    assert "pipeline_example" in public.cases
    hidden = {"pipeline_cases", "encoding_long", "cosine_cases", "one_hot_cases"}
    assert hidden & set(public.cases) == set()
    assert not any(name in id_ for id_ in public.outcomes for name in hidden)
    every = {c.id for e in prepared.setting.loaded.spec.exercise for c in e.check if not c.public}
    assert every  # there are hidden checks to leave out


def test_no_value_of_a_hidden_check_is_in_the_bytes(
    public: PublicEvidence, prepared: Prepared
) -> None:
    data = public_bytes(public)
    record = prepared.expected.probe(
        next(p.id for p in prepared.expected.probes if "pipeline_cases/0" in p.id)
    )
    assert record is not None and record.claim is not None
    assert record.claim.value.data[:64] not in data  # type: ignore[union-attr]


def test_equal_evidence_gives_equal_bytes_and_comes_back(public: PublicEvidence) -> None:
    data = public_bytes(public)
    assert read_public(data) == public
    assert public_bytes(read_public(data)) == data


def test_rounding_is_no_difference_and_another_answer_is(public: PublicEvidence) -> None:
    changed = {**public.outcomes}
    id_ = next(i for i, o in changed.items() if isinstance(o.value, int) and o.value > 1)
    changed[id_] = Outcome("returned", changed[id_].value + 1)  # type: ignore[operator]
    other = PublicEvidence(public.format, public.assignment, public.cases, changed)
    assert differences(public, public) == []
    assert differences(public, other) == [id_]
    fewer = PublicEvidence(public.format, public.assignment, public.cases, {})
    assert differences(public, fewer) == ["which public checks there are"]


def test_a_file_that_is_none_is_named() -> None:
    with pytest.raises(StoreError, match=r"here\.agw: no public evidence"):
        read_public(b"\x80", name="here.agw")


def test_a_release_makes_both_files_and_notices_stale_ones(tmp_path: Path) -> None:
    course = write_course(tmp_path, SMALL)
    made = made_release(course, Inline(), lambda what, total: None)
    names = {path.name for path in made.files}
    assert names == {"small.ipynb", "public.agw"}
    assert {why for _, why in made.stale()} == {"it is not there"}
    for path, content in made.files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    assert list(made.stale()) == []
    notebook = next(path for path in made.files if path.suffix == ".ipynb")
    notebook.write_bytes(notebook.read_bytes() + b"\n")
    assert [path.name for path, _ in made.stale()] == ["small.ipynb"]
    public = next(path for path in made.files if path.suffix == ".agw")
    old = read_public(public.read_bytes())
    public.write_bytes(public_bytes(PublicEvidence(old.format, old.assignment, old.cases, {})))
    assert "public.agw" in [path.name for path, _ in Release(made.files).stale()]
