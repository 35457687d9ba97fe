"""Generated equivalents: an unfair check is found, and what goes wrong only together is named."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import TypeAdapter

from autograder.assignment.kinds import Check
from autograder.assignment.pretrained import Offer
from autograder.authoring.validation.equivalent_trials import (
    _alike,
    _chosen,
    try_equivalents,
    unfair,
)
from autograder.authoring.validation.equivalents import _rewrites, combinations
from autograder.authoring.validation.rewrites.functions import FUNCTIONS
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.classroom.reference import make_context
from autograder.evidence.records import Measured, ProbeRun, Run, TimeSpent
from autograder.execution.engines.local import Local
from autograder.judging.diagnosis.decoded_run import Evidence, decode
from autograder.reports.validation.model import Generated
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Error, Outcome, Probe, Read
from autograder.wire.tensors import to_wire
from tests.support.courses import MEASURED, SMALL, write_course
from tests.support.progress import QUIET

WIDE = SMALL["solutions/small/equivalents/wide.py"].replace(".float()", "")
# right as long as the other exercise's answer is a table of float32
NARROW = """# sizes: by a product with ones
# not with: APART
# It takes a type for granted.
def sizes(table):
    rows = center(table)
    return (rows * rows) @ torch.ones(rows.shape[1])
"""


def tried(
    box: LazyBox, folder: Path, files: Mapping[str, str], *, quick: bool = False
) -> Generated:
    course = write_course(folder, files)
    offer = Offer(None, "", frozenset(), ())
    context, fresh = (
        make_context(course, offer, box, seed=seed, draw=False, evidence=folder / "evidence")
        for seed in (3, 4)
    )
    return try_equivalents(context, fresh, TrialEngine(Local(2), QUIET), quick=quick)


@pytest.fixture(scope="module")
def fair(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return tried(warm_box, tmp_path_factory.mktemp("fair"), SMALL, quick=True)


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f(n, m):\n    return np.arange(n * m)", 1),
        ("def f(n):\n    return [0 for _ in range(1, n)]", 1),
        ("def f(table):\n    return np.zeros(table.shape)", 0),
        ("def f(items):\n    return [1 for _ in range(len(items))]", 0),
    ],
)
def test_results_are_kept_only_for_sizes_and_copied(source: str, count: int) -> None:
    made = [*FUNCTIONS["kept results"](ast.parse(source))]
    assert len(made) == count
    for tree in made:
        names: dict[str, Any] = {"np": np}
        exec(ast.unparse(tree), names)
        given = (3, 2) if "m" in source else (3,)
        first, second = names["f"](*given), names["f"](*given)
        assert first is not second and np.array_equal(first, second)


@pytest.mark.slow
def test_right_answers_keep_their_points(fair: Generated) -> None:
    assert fair.losing == 0 and fair.lost == () and list(unfair(fair)) == []
    assert fair.right > 40
    assert fair.families["combinations"].made > 5 and fair.families["arithmetic"].right


@pytest.mark.slow
def test_what_means_something_else_is_no_equivalent(fair: Generated) -> None:
    """``x.sum(dim=1)`` is no ``torch.mean``, and a mean over rows is no scalar."""
    assert sum(count.different for count in fair.families.values()) > 0
    assert all(count.right >= count.lost for count in fair.families.values())


@pytest.fixture(scope="module")
def lost(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A tolerance that is too small, two equivalents that do not go together, and a mistake that
    is charged again in what builds on it."""
    columns = "solutions/small/mistakes/columns.py"
    files = {
        columns: SMALL[columns].replace("# also: sizes\n", ""),
        MEASURED: SMALL[MEASURED].replace("4e-6", "1e-12"),
        "solutions/small/equivalents/wide.py": WIDE,
        "solutions/small/equivalents/narrow.py": NARROW.replace("APART", "nothing"),
    }
    return tried(warm_box, tmp_path_factory.mktemp("unfair"), SMALL | files)


@pytest.mark.slow
def test_a_check_that_is_too_strict_loses_right_answers(lost: Generated) -> None:
    assert {one.check for one in lost.lost if one.diff} == {"center/tables"}
    diffs = [one.diff for one in lost.lost if one.check == "center/tables" and one.diff]
    assert diffs and all("\n-" in text and "\n+" in text for text in diffs)
    found = list(unfair(lost))
    assert len(found) == len(lost.lost) and {problem.rule for problem in found} == {"unfair"}


@pytest.mark.slow
def test_what_loses_only_together_is_named_with_nothing_else(lost: Generated) -> None:
    whole = [one for one in lost.lost if one.name.startswith("combination")]
    assert {one.parts for one in whole if one.check == "sizes/sizes"} == {"wide + narrow"}


@pytest.mark.slow
def test_a_mistake_that_is_charged_again_is_found(lost: Generated) -> None:
    again = [one for one in lost.lost if one.name.startswith("carried-forward")]
    assert {(one.parts, one.check) for one in again} == {("columns", "sizes/sizes")}
    count = lost.families["right answers on a known mistake"]
    assert (count.made, count.lost) == (2, 1)  # the other mistake overflows in large numbers alone


@pytest.mark.parametrize("apart", ["wide", "w*"])
def test_what_does_not_go_together_is_not_tried_together(tmp_path: Path, apart: str) -> None:
    narrow = {"solutions/small/equivalents/narrow.py": NARROW.replace("APART", apart)}
    loaded = write_course(tmp_path, SMALL | narrow)
    made = combinations(loaded.spec, variants_in(loaded, "equivalents"), seed=1)
    met = [{variant.name for variant in one.answers} for one in made]
    assert not any({"wide", "narrow"} <= names for names in met)
    assert any({"wide", "listed"} <= names for names in met) and any("narrow" in n for n in met)


def answered(outcome: Outcome) -> Evidence:
    record = ProbeRun("center/c", outcome, None, TimeSpent(0.0, 0.0))
    return decode(Run((), (record,), Measured(0.0, 0.0, 0.0, 0, "none", ())), (record,))


def returned(*numbers: float) -> Outcome:
    return Outcome("returned", to_wire(torch.tensor(numbers)))


def raised(*types: str) -> Outcome:
    return Outcome("raised", error=Error(types, "in some words"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (returned(1.0, 2.0), returned(1.0, 2.0000002), True),
        (returned(1.0, 2.0), returned(1.0, 2.01), False),
        (returned(1.0, 2.0), returned(1.0), False),
        (returned(1.0), raised("ValueError"), False),
        (raised("ValueError"), raised("ValueError"), True),
        (raised("ValueError"), raised("IndexError"), False),
    ],
)
def test_rounding_is_no_other_meaning_however_strict_a_check_is(
    one: Outcome, other: Outcome, same: bool
) -> None:
    strict = {"rtol": 0.0, "atol": 1e-12, "why": "too strict"}
    check: Check = TypeAdapter(Check).validate_python(
        {
            "kind": "value",
            "id": "c",
            "title": "is right",
            "points": 1,
            "name": "x",
            "tolerance": strict,
        }
    )
    probe = Probe("center/c", "center", Read("center", "x"))
    assert _alike(check, probe, answered(one), answered(other)) is same


def test_a_sample_is_drawn_by_seed(tmp_path: Path) -> None:
    loaded = write_course(tmp_path, SMALL)
    solution = read_solution(loaded)
    first, again, other = (
        _chosen(loaded, solution, frozenset(), seed, quick=True) for seed in (1, 1, 2)
    )
    assert first == again != other and (len(first[0]), len(first[1])) == (60, 30)


def test_an_attribute_that_other_cells_use_keeps_its_name() -> None:
    source = (
        "class M(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
        "        self.width = n\n        self.depth = n + 1\n"
    )
    renamed = {"self.my_width_2 = n", "self.my_depth_2 = n + 1"}
    for elsewhere, kept in (("", set()), ("print(model.width)", {"self.my_width_2 = n"})):
        text = "\n".join(rewrite.code for rewrite in _rewrites("e", "solution", source, elsewhere))
        assert {line for line in renamed if line in text} == renamed - kept
