"""Tolerances of columns: each must be of one that right results have."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from autograder.authoring.validation.run import column_problems
from autograder.judging.checks.finding import Reference
from tests.support.local_answers import answers, assignment_of, every_call
from tests.support.made_calls import wire

LOOSE = {"rtol": 1e-3, "atol": 0, "why": "Sums of floats."}
TABLE = pd.DataFrame({"city": ["a"], "price": [1.5]})


@pytest.mark.parametrize(
    ("result", "names", "unknown"),
    [
        (TABLE, ["price"], ""),
        (TABLE, ["price", "prise"], "'prise'"),
        ((TABLE, {"more": TABLE["price"].rename("sum")}), ["sum", "city"], ""),
        (TABLE.groupby("city").agg(["mean"]), ["price mean"], ""),
        (TABLE.groupby("city").agg(["mean"]), ["price"], "'price'"),
        ([1.5], ["price"], "'price'"),
    ],
)
def test_a_tolerance_is_of_a_column_that_results_have(
    result: Any, names: list[str], unknown: str
) -> None:
    check = {"id": "c", "kind": "function", "call": "f", "inputs": "n"}
    spec = assignment_of({**check, "frame": {"tolerances": dict.fromkeys(names, LOOSE)}})
    cases = {"n": (wire(1),)}
    run = answers(every_call(spec.exercise[0], cases), {"f": lambda number: result})
    found = list(column_problems(spec, Reference(run, cases)))
    assert [(p.rule, p.check) for p in found] == [("tolerance", "ex/c")] * bool(unknown)
    assert not found or f"`tolerances` has {unknown}, which" in found[0].text
