"""Faults of data frames: another aggregation, join or order, an index kept, missing values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutation.faults.calls import with_keyword
from autograder.mutation.page import Edit, Page, called

_AGGREGATIONS = {
    "sum": "mean",
    "mean": "sum",
    "median": "mean",
    "min": "max",
    "max": "min",
    "first": "last",
    "last": "first",
    "count": "nunique",
    "size": "count",
    "nunique": "count",
    "std": "var",
    "var": "std",
}
# what an aggregation gives, in words
_WORDS = {
    "sum": "the sum",
    "mean": "the mean",
    "median": "the median",
    "min": "the smallest value",
    "max": "the largest value",
    "first": "the first value",
    "last": "the last value",
    "count": "the number of values that are not missing",
    "size": "the number of rows",
    "nunique": "the number of different values",
    "std": "the standard deviation",
    "var": "the variance",
}
_GROUPING = frozenset({"groupby", "resample", "rolling", "expanding"})
_BY_NAME = frozenset({"agg", "aggregate", "transform", "pivot_table", "crosstab"})
_NOT_SAID = frozenset({"sum", "mean", "min", "max"})  # that "swapped-function" exchanges
_JOINS = {"left": "inner", "inner": "left", "outer": "inner", "right": "inner"}
_JOINED = {
    "left": "a join kept all rows of the first table",
    "inner": "a join kept only rows that are in both tables",
}
# a step that is left out, and how that shows
_STEPS = {
    "reset_index": "the index were not reset",
    "set_index": "the index were not set",
    "sort_values": "rows were not sorted",
    "sort_index": "rows were not sorted by their labels",
    "dropna": "rows with missing values were kept",
    "fillna": "missing values were not filled",
    "drop_duplicates": "repeated rows were kept",
    "ffill": "missing values were not filled",
    "bfill": "missing values were not filled",
}
_SORTS = frozenset({"sort_values", "sort_index"})
# a keyword that is left out, and how that shows
_KEYWORDS = {
    "ignore_index": "rows kept their old labels",
    "as_index": "groups were in the index",
    "dropna": "missing groups were left out",
    "observed": "empty categories were kept",
}


def swap_aggregation(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``.agg("sum")`` -> ``"mean"``, ``.median()`` -> ``.mean()`` of groups."""
    if not isinstance(node, ast.Call):
        return
    if called(node) in _BY_NAME:
        given = [*node.args, *(k.value for k in node.keywords)]
        for part in (part for value in given for part in ast.walk(value)):
            name = part.value if isinstance(part, ast.Constant) else None
            if isinstance(name, str) and name in _AGGREGATIONS and not _is_key(part, page):
                other = _AGGREGATIONS[name]
                yield page.put(part, repr(other), _instead(name, other))
    elif isinstance(node.func, ast.Attribute) and _is_grouped(node.func.value):
        name = node.func.attr
        if name in _AGGREGATIONS and name not in _NOT_SAID:
            other, end = _AGGREGATIONS[name], page.span(node.func)[1]
            yield Edit(end - len(name), end, other, _instead(name, other))


def swap_join(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``how="left"`` -> ``"inner"``; a join that says nothing keeps other rows than its default."""
    if not isinstance(node, ast.Call) or called(node) not in ("merge", "join"):
        return
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    how = keywords.get("how")
    if isinstance(how, ast.Constant) and how.value in _JOINS:
        other = _JOINS[str(how.value)]
        yield page.put(how, repr(other), _JOINED[other])
    elif how is None and (called(node) == "merge" or "on" in keywords):
        other = "left" if called(node) == "merge" else "inner"
        yield with_keyword(node, page, f"how={other!r}", _JOINED[other])


def drop_table_step(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``df.reset_index()`` -> ``df``, ``df.dropna()`` -> ``df`` or ``df.fillna(0)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    name, owner = node.func.attr, node.func.value
    if isinstance(page.parent(node), ast.Expr) or name not in _STEPS:
        return
    yield page.put(node, page.text(owner), _STEPS[name])
    if name == "dropna":
        as_if = "missing values were filled with 0 instead of left out"
        yield page.put(node, f"{page.operand(owner)}.fillna(0)", as_if)
    if name == "fillna":
        as_if = "rows with missing values were left out instead of filled"
        yield page.put(node, f"{page.operand(owner)}.dropna()", as_if)


def sort_otherwise(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``sort_values("x")`` in descending order, or ascending where it was descending."""
    if not isinstance(node, ast.Call) or called(node) not in _SORTS:
        return
    as_if = "rows were sorted in the opposite order"
    given = next((k for k in node.keywords if k.arg == "ascending"), None)
    if given is None:
        yield with_keyword(node, page, "ascending=False", as_if)
    elif isinstance(given.value, ast.Constant) and isinstance(given.value.value, bool):
        yield page.put(given.value, str(not given.value.value), as_if)


def flip_table_flag(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``ignore_index=True``, ``as_index=False`` forgotten, in words."""
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        written = keyword.value
        flag = written.value if isinstance(written, ast.Constant) else None
        if isinstance(flag, bool) and keyword.arg in _KEYWORDS:
            yield page.put(written, str(not flag), _KEYWORDS[keyword.arg])


def _instead(name: str, other: str) -> str:
    return f"{_WORDS[other]} were used instead of {_WORDS[name]}"


def _is_grouped(node: ast.AST) -> bool:
    """Whether an expression is a chain with a call that makes groups."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if called(node) in _GROUPING:
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _is_key(part: ast.AST, page: Page) -> bool:
    """Whether a text is the key of a dictionary: the name of a column."""
    up = page.parent(part)
    return isinstance(up, ast.Dict) and part in up.keys
