"""The table of `autograder doctor`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text


def health_view(health: dict[str, Any]) -> RenderableType:
    """Isolation layers, then the machine, as printable parts."""
    table = Table(title=f"Isolation: {health['level']}", title_justify="left", expand=False)
    table.add_column("layer", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("what it does, or why it is missing")
    for layer in health["layers"]:
        state = Text("enforced", "green") if layer["enforced"] else Text("missing", "red")
        why = layer["means"]
        if not layer["enforced"]:
            why = f"{layer['reason'] or 'not entered'}. Fix: {layer['remedy']}"
        table.add_row(layer["name"], state, why)
    limits = health["limits"]
    lines = [
        "Limits for a submission unless its assignment sets others: "
        f"{limits['cell_cpu_s']:g} s of CPU time and {limits['cell_wall_s']:g} s of wall time per "
        f"cell or call, {limits['submission_wall_s']:g} s in total; {limits['memory_mb']} MB of "
        f"memory, {limits['disk_mb']} MB in {limits['files']} files, {limits['processes']} threads",
        f"{health['system']}, {health['cores']} cores, user id {health['user']}",
        f"Python {health['python']}, torch {health['torch']}",
        *health["problems"],
    ]
    return Group(table, *(Text(line) for line in lines), devices_view(health))


def packages_view(found: dict[str, Any]) -> RenderableType:
    """What the notebooks of an assignment use, what is missing, and how to install it."""
    lines = [f"{found['assignment']}: {_used(found['packages'])}"]
    if found["missing"]:
        lines.append(f"Nothing can be graded without {' and '.join(found['missing'])}")
    lines += found["left_out"]
    lines += [f"Fix: {found['install']}"] if found["install"] else []
    return Group(*map(Text, lines))


def attacks_view(attacks: Mapping[str, Sequence[str]]) -> RenderableType:
    """A line for each attack; nothing is attacked where student code would not be contained."""
    if not attacks:
        return Text("Attacks: none is tried below the level medium", "red")
    return Group(
        Text("Attacks"),
        *(
            Text(f"{name}: {'; '.join(problems) or 'contained'}", "red" if problems else "green")
            for name, problems in attacks.items()
        ),
    )


def _used(packages: list[str]) -> str:
    return f"its notebooks use {' and '.join(packages) or 'no other packages'}"


def devices_view(health: dict[str, Any]) -> Table:
    """The devices on which submissions are tried (CPU, real accelerators, the simulated one), and
    the settings pinned on all of them."""
    table = Table(title="Devices", title_justify="left", expand=False)
    table.add_column("device", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("details")
    found = health["devices"]
    cpu = found["cpu"]
    text = f"vector instructions: {cpu['capability']}"
    table.add_row("cpu", Text("works", "green"), text)
    for one in found["real"]:
        parts = [f"{one['name']}, {one['memory_mb']} MB", one["driver"], " ".join(one["nodes"])]
        what = "; ".join(filter(None, parts))
        state = _state(one["fails"], what) if one["used"] else (Text("not used"), Text(what))
        table.add_row(one["device"], *state)
    if not found["real"]:
        table.add_row("real accelerator", Text("none", "yellow"), Text(found["reason"]))
    simulated = health["simulated"]
    what = "CPU tensors that follow the rules of another device, which need not be present"
    state = _state(simulated["fails"], what)
    if health["torch"] == "none":
        state = Text("none", "yellow"), Text(simulated["fails"])
    table.add_row(f"simulated {simulated['device']}", *state)
    pinned = "; ".join(f"{name}: {value}" for name, value in health["pinned"].items())
    table.add_row("fixed on all", "", Text(pinned))
    return table


def _state(fails: str, what: str) -> tuple[Text, Text]:
    """A device's state, and what it is with the reason where it does not work."""
    if not fails:
        return Text("works", "green"), Text(what)
    return Text("fails", "red"), Text(f"{fails} ({what})")
