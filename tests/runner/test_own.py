"""A notebook that patches the grader's functions in its own process hides nothing by it."""

from __future__ import annotations

import pytest

from autograder.sandbox.box import Box
from tests.runner.test_traced_call import ONE, asked

IMPORTS = """
import autograder.runner.calls as calls
import autograder.runner.toolkit as toolkit
import autograder.runner.traced_call as traced_call
nothing = lambda *a, **k: None
"""
PATCHES = {
    "call": "calls.call = traced_call.call = nothing",
    "differs": "calls.differs = lambda *a: False",
    "returned": "calls._returned = nothing",
    "to_wire": "calls.to_wire = lambda *a: 0",
    "encoder": "calls._encode = lambda *a: b''",
    "code": "calls.differs.__code__ = (lambda now, sent: False).__code__",
    "a method": "toolkit.Toolkit.undressed = toolkit.Toolkit.state = nothing",
}
PLACES = {
    "in a cell": "{patch}\ndef own(x):\n    x += 1\n    return x * 2\n",
    "in the call": "def own(x):\n    {patch}\n    x += 1\n    return x * 2\n",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("what", PATCHES)
def test_a_notebook_that_patches_the_runner_does_not_hide_what_it_changed(
    plain_box: Box, what: str, place: str
) -> None:
    cell = IMPORTS + PLACES[place].format(patch=PATCHES[what])
    for outcome in asked(plain_box, (cell,), ("own", ONE), ("own", ONE)):
        assert (outcome.status, outcome.changed) == ("returned", (0,))
        assert getattr(outcome.value, "shape", None) == (1,)
