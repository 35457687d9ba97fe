"""What the layers of isolation cost: a confined child against a plain fork from a similar parent,
in turn, from the request for a child until it is gone."""

from __future__ import annotations

import time

from autograder.sandbox.box import Box
from autograder.wire.messages import Limits

WARM_UP = 5


def layers_cost(box: Box, bare: Box, *, rounds: int) -> list[float]:
    """Milliseconds by the clock that the layers add, one figure for each round.

    ``bare`` is a box without any layer: its children are forked, report that they are
    ready, and end. No cell runs in either.
    """
    for _ in range(WARM_UP):
        _life(box), _life(bare)
    return [1000 * (_life(box) - _life(bare)) for _ in range(rounds)]


def _life(box: Box) -> float:
    started = time.monotonic()
    box.spawn(Limits()).end()
    return time.monotonic() - started
