"""A run with the numbers of its answers, decoded once to be compared with those of other runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from autograder.evidence.records import ProbeRun, Run
from autograder.judging.checks.arrays import Numeric, numeric
from autograder.wire.messages import Outcome
from autograder.wire.values import Items, Value
from autograder.wire.values import Mapping as MappingValue

MAX_PARTS = 20_000  # single values in lists; a claim may have millions, an array counts as one


class Evidence(NamedTuple):
    """A run with the numbers of its results by probe id. Results with too many parts are left out
    and not compared."""

    run: Run
    numbers: Mapping[str, Numeric | None]

    def claim(self, id_: str) -> Outcome | None:
        """The one claim about a probe; None if there is none, or it was stopped."""
        record = self.run.probe(id_)
        if record is None or record.stop is not None or id_ not in self.numbers:
            return None
        return record.claim


def decode(run: Run, probes: Iterable[ProbeRun]) -> Evidence:
    """A run with the numbers of these results."""
    numbers: dict[str, Numeric | None] = {}
    for record in probes:
        if record.claim is not None:
            whole = Items("list", (record.claim.value, *record.claim.gradients))
            if _parts(whole) <= MAX_PARTS:
                numbers[record.id] = numeric(record.claim.value)
    return Evidence(run, numbers)


def _parts(value: Value) -> int:
    """How many single values a value contains; stops counting at one too many."""
    waiting, count = [value], 0
    while waiting and count <= MAX_PARTS:
        count += 1
        node = waiting.pop()
        if isinstance(node, Items | MappingValue):
            count += max(0, len(node.items) - MAX_PARTS)
            for item in node.items[: MAX_PARTS + 1]:
                waiting.extend(item if isinstance(item, tuple) else (item,))
    return count
