"""The table of `autograder doctor`."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text


def health_view(health: dict[str, Any]) -> RenderableType:
    """Isolation layers, then the machine, as printable parts."""
    table = Table(title=f"Isolation: {health['level']}", title_justify="left", expand=False)
    table.add_column("layer", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("what it means, or why not")
    for layer in health["layers"]:
        state = Text("enforced", "green") if layer["enforced"] else Text("missing", "red")
        why = layer["means"]
        if not layer["enforced"]:
            why = f"{layer['reason'] or 'not entered'}. Remedy: {layer['remedy']}"
        table.add_row(layer["name"], state, why)
    limits = health["limits"]
    lines = [
        "Limits of a hand-in unless its assignment says otherwise: a cell or call "
        f"{limits['cell_cpu_s']:g} s of computing and {limits['cell_wall_s']:g} s by the clock, "
        f"all {limits['submission_wall_s']:g} s; {limits['memory_mb']} MB of memory, "
        f"{limits['disk_mb']} MB in {limits['files']} files, {limits['processes']} threads",
        f"{health['system']}, {health['cores']} cores, user id {health['user']}",
        f"Python {health['python']}, torch {health['torch']}",
        f"Devices: {', '.join(health['devices'])}",
        *health["problems"],
    ]
    return Group(table, *(Text(line) for line in lines))
