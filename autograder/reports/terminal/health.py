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
        *health["problems"],
    ]
    return Group(table, *(Text(line) for line in lines), devices_view(health))


def devices_view(health: dict[str, Any]) -> Table:
    """Where hand-ins are tried: the processor, real accelerators, the simulated one; and what is
    pinned for all of them."""
    table = Table(title="Devices", title_justify="left", expand=False)
    table.add_column("device", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("what it is, or why not")
    found = health["devices"]
    cpu = found["cpu"]
    text = f"threads of torch: {cpu['threads']}; vector instructions: {cpu['capability']}"
    table.add_row("cpu", Text("works", "green"), text)
    for one in found["real"]:
        parts = [f"{one['name']}, {one['memory_mb']} MB", one["driver"], " ".join(one["nodes"])]
        what = "; ".join(filter(None, parts))
        state = _state(one["fails"], what) if one["used"] else (Text("not used"), Text(what))
        table.add_row(one["device"], *state)
    if not found["real"]:
        table.add_row("real accelerator", Text("none", "yellow"), Text(found["reason"]))
    simulated = health["simulated"]
    what = "tensors of the CPU that keep the rules of another device; needs no such device"
    table.add_row(f"simulated {simulated['device']}", *_state(simulated["fails"], what))
    pinned = "; ".join(f"{name}: {value}" for name, value in health["pinned"].items())
    table.add_row("pinned on all", "", Text(pinned))
    return table


def _state(fails: str, what: str) -> tuple[Text, Text]:
    """A device's state, and what it is with the reason where it does not work."""
    if not fails:
        return Text("works", "green"), Text(what)
    return Text("fails", "red"), Text(f"{fails} ({what})")
