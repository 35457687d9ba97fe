"""Damage of what stands below the cells: outputs that are old, huge, wrong or of no type."""

from __future__ import annotations

import base64
from collections.abc import Callable
from random import Random
from typing import Any

from tests.support.damage.hand_in import Base, Change, Kind, Notebook, code, harmless, text

Output = dict[str, Any]
VIEW = "application/vnd.jupyter.widget-view+json"


def _each(make: Callable[[Random], Any]) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        for cell in code(notebook):
            cell["outputs"] = make(random)

    return change


def _error(random: Random) -> list[Output]:
    trace = ["\x1b[0;31mNameError\x1b[0m: name 'nn' is not defined"]
    return [{"output_type": "error", "ename": "NameError", "evalue": "nn", "traceback": trace}]


def _stale(random: Random) -> list[Output]:
    return [
        {"output_type": "stream", "name": "stderr", "text": ["old\n", "older\n"]},
        {
            "output_type": "execute_result",
            "execution_count": 99,
            "metadata": {},
            "data": {"text/plain": "tensor([1., 2.])", "text/html": ["<b>old</b>"]},
        },
    ]


def _huge(random: Random) -> list[Output]:
    picture = base64.b64encode(random.randbytes(400_000)).decode()
    return [{"output_type": "display_data", "metadata": {}, "data": {"image/png": picture}}]


def _wrong(random: Random) -> Any:
    odd: list[Any] = [None, "text", 3, {}, [None], [[]], ["out"], [{"output_type": "new"}]]
    return random.choice(odd)


def _widgets(notebook: Notebook, random: Random, base: Base) -> None:
    """Views in the outputs and the state of many widgets in the notebook."""
    state = {}
    for cell in code(notebook):
        model = f"{random.getrandbits(128):032x}"
        view = {"model_id": model, "version_major": 2, "version_minor": 0}
        cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {VIEW: view}}]
        state[model] = {"model_module": "@jupyter-widgets/controls", "state": {"value": 0.5}}
    widgets = {"application/vnd.jupyter.widget-state+json": {"state": state, "version_major": 2}}
    notebook["metadata"]["widgets"] = widgets


def _counts(notebook: Notebook, random: Random, base: Base) -> None:
    odd: list[Any] = [None, 0, -3, "7", 10**12, 2.5]
    for cell in code(notebook):
        cell["execution_count"] = random.choice(odd)


def _none(notebook: Notebook, random: Random, base: Base) -> None:
    for cell in code(notebook):
        cell["outputs"], cell["execution_count"] = [], None


def _pasted_picture(notebook: Notebook, random: Random, base: Base) -> None:
    """A picture in the text of some cells, as text and as an attachment."""
    for cell in text(notebook)[1::3]:
        picture = base64.b64encode(random.randbytes(600_000)).decode()
        cell["source"] += f"\n\n![mine](data:image/png;base64,{picture})"
        cell["attachments"] = {"mine.png": {"image/png": picture}}


KINDS = (
    Kind("outputs-none", "no outputs, nothing was ever run", harmless(_none)),
    Kind("outputs-error", "below each cell an old error", harmless(_each(_error))),
    Kind("outputs-stale", "below each cell outputs of other code", harmless(_each(_stale))),
    Kind("outputs-huge", "below each cell a picture of half a megabyte", harmless(_each(_huge))),
    Kind("outputs-wrong", "outputs of wrong types", harmless(_each(_wrong))),
    Kind("widget-state", "widgets and their state", harmless(_widgets)),
    Kind("counts-odd", "execution counts of wrong types and order", harmless(_counts)),
    Kind("pictures-in-text", "pictures pasted into text cells", harmless(_pasted_picture)),
)
