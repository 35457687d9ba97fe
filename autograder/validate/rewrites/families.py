"""The closed list of families: ways of writing what means the same.

What is found by a pattern may mean something else where the types are others, so its result is run
and compared first (``CHECKED``); the others are right whatever the code around them is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from autograder.validate.rewrites import (
    arithmetic,
    axes,
    flow,
    lookups,
    powers,
    products,
    ranges,
    training,
    types,
)
from autograder.validate.rewrites.functions import FUNCTIONS
from autograder.validate.rewrites.modules import MODULES
from autograder.validate.rewrites.pattern import Rule, rewritten

Family = Callable[[ast.Module], Iterator[ast.Module]]


def _all_of(rules: tuple[Rule, ...]) -> Family:
    def change(tree: ast.Module) -> Iterator[ast.Module]:
        for rule in rules:
            yield from rewritten(tree, rule)

    return change


CHECKED: Mapping[str, Family] = MappingProxyType({
    "products": _all_of(products.RULES),
    "lookups": _all_of(lookups.RULES),
    "axes": _all_of(axes.RULES),
    "ranges": _all_of(ranges.RULES),
    "powers": _all_of(powers.RULES),
    "arithmetic": _all_of(arithmetic.RULES),
    "types": _all_of(types.RULES),
    "flow": _all_of(flow.RULES),
})  # fmt: skip
SURE: Mapping[str, Family] = MappingProxyType(
    {"training": _all_of(training.RULES), **FUNCTIONS, **MODULES}
)
