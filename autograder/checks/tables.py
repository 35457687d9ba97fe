"""Finds a module's table by its shape, never by the name of an attribute."""

from __future__ import annotations

from typing import NamedTuple

from autograder.wire.values import Entry, Module


class Table(NamedTuple):
    """The tensor of a module that holds the table; ``turned`` when it is [columns, rows]."""

    entry: Entry
    turned: bool


def find_table(module: Module, rows: int, columns: int) -> Table | None:
    """The [rows, columns] table, also stored turned or under a parametrization.

    Of several, the first in this order: learnable parameter, parameter, buffer; and in the
    asked orientation before the turned one.
    """
    found = [
        Table(entry, turned)
        for turned, shape in ((False, (rows, columns)), (True, (columns, rows)))
        for entry in module.entries
        if entry.array.shape == shape
    ]
    return min(found, key=lambda table: (*_rank(table.entry), table.turned), default=None)


def _rank(entry: Entry) -> tuple[bool, bool]:
    return (entry.role != "parameter", not entry.learnable)
