"""What a notebook's functions keep for later does not outlive a change of an earlier part."""

from __future__ import annotations

import pytest

from autograder.classroom import Prepared
from tests.test_verbs import course, graded, lost, ready  # noqa: F401  fixtures

WRONG = (
    "return torch.outer(torch.arange(rows) + 1.0, torch.arange(columns) + 1.0)",
    "return torch.zeros(rows, columns)",
)
USE = "rows = rows * self.scale + waves(ids.shape[-1], rows.shape[-1])"
BEGIN = "class Layer(nn.Module):\n"
KEPT = {
    "in a dictionary": (
        "KEPT = {}\n\ndef kept(*size):\n"
        "    if size not in KEPT:\n        KEPT[size] = waves(*size)\n"
        "    return KEPT[size]\n\n"
    ),
    "in a list": (
        "KEPT = []\n\ndef kept(*size):\n    found = [w for s, w in KEPT if s == size]\n"
        "    if not found:\n        KEPT.append((size, waves(*size)))\n    return KEPT[-1][1]\n\n"
    ),
    "by functools": (
        "import functools\n\n@functools.cache\ndef kept(*size):\n    return waves(*size)\n\n"
    ),
    "in a function's attribute": (
        "def kept(*size):\n"
        "    if size not in kept.found:\n        kept.found[size] = waves(*size)\n"
        "    return kept.found[size]\nkept.found = {}\n\n"
    ),
    "in a class": (
        "class Kept:\n    found = {}\n\ndef kept(*size):\n    if size not in Kept.found:\n"
        "        Kept.found[size] = waves(*size)\n    return Kept.found[size]\n\n"
    ),
}


@pytest.mark.parametrize("way", KEPT)
def test_what_an_earlier_part_gave_is_not_kept_for_its_stand_in(ready: Prepared, way: str) -> None:  # noqa: F811
    changes = ((USE, USE.replace("waves", "kept")), (BEGIN, KEPT[way] + BEGIN))
    assert lost(graded(ready, *changes)) == {}
    assert "Layer/stage" not in lost(graded(ready, WRONG, *changes))
