"""Finds a module's table by its shape, never by the name of an attribute."""

from __future__ import annotations

from typing import NamedTuple

from autograder.wire.values import Entry, Module


class EmbeddingTable(NamedTuple):
    """The tensor of a module that holds the table; ``turned`` if it is [columns, rows]."""

    entry: Entry
    turned: bool


def find_table(module: Module, rows: int, columns: int) -> EmbeddingTable | None:
    """Find the [rows, columns] table, also transposed, under a parametrization or as [1, ...].

    Of several, the first in this order: learnable parameter, parameter, buffer; and plain before
    transposed or with a leading axis of length 1.
    """
    forms = ((rows, columns), (columns, rows), (1, rows, columns))
    found = [
        (*_rank(entry), place, entry)
        for place, shape in enumerate(forms)
        for entry in module.entries
        if entry.array.shape == shape
    ]
    if not found:
        return None
    *_, place, entry = min(found, key=lambda one: one[:3])
    return EmbeddingTable(entry, forms[place] == (columns, rows) != (rows, columns))


def _rank(entry: Entry) -> tuple[bool, bool]:
    return (entry.role != "parameter", not entry.learnable)
