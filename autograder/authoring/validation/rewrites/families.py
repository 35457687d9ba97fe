"""The closed list of families: ways of writing what means the same.

A rewrite found by a pattern may mean something else for other types, so its result is run and
compared first (``CHECKED``); the others are right whatever the code around them is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from autograder.authoring.validation.rewrites import (
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
from autograder.authoring.validation.rewrites.functions import FUNCTIONS
from autograder.authoring.validation.rewrites.modules import MODULES
from autograder.authoring.validation.rewrites.pattern import RewriteRule, rewritten

Family = Callable[[ast.Module], Iterator[ast.Module]]


def _all_of(rules: tuple[RewriteRule, ...]) -> Family:
    def change(tree: ast.Module) -> Iterator[ast.Module]:
        for rule in rules:
            yield from rewritten(tree, rule)

    return change


PATTERNS: Mapping[str, tuple[RewriteRule, ...]] = MappingProxyType(
    {
        "products": products.RULES,
        "lookups": lookups.RULES,
        "axes": axes.RULES,
        "ranges": ranges.RULES,
        "powers": powers.RULES,
        "arithmetic": arithmetic.RULES,
        "types": types.RULES,
        "flow": flow.RULES,
        "training": training.RULES,
    }
)
_BY_PATTERN = {name: _all_of(rules) for name, rules in PATTERNS.items()}
SURE: Mapping[str, Family] = MappingProxyType({**FUNCTIONS, **MODULES})
CHECKED: Mapping[str, Family] = MappingProxyType(_BY_PATTERN)
