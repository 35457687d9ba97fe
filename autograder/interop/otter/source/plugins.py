"""Plugin blocks in a master's cells: their names, and the calls that otter turns them into."""

from __future__ import annotations

from typing import Any

from autograder.interop.otter.source.model import SourceFault, shown
from autograder.interop.otter.source.settings import read_yaml

_BEGIN = ("# BEGIN PLUGIN", "# BEGIN PLUGIN EXPORT")
_END = "# END PLUGIN"


def plugins_in(source: str) -> list[str]:
    """The names of the plugins in a cell; raises SourceFault."""
    return [shown(config["plugin"]).strip("'") for config, _ in _plugin_blocks(source)]


def with_calls(source: str) -> str:
    """A cell with each plugin block replaced by otter's call; raises SourceFault."""
    for config, text in _plugin_blocks(source):
        export = text.split("\n", 1)[0].rstrip().endswith("EXPORT")
        call = "add_plugin_files" if export else "run_plugin"
        try:
            given = [f'"{config["plugin"]}"', *map(str, config.get("args") or ())]
            given += [f"{key}={value}" for key, value in (config.get("kwargs") or {}).items()]
        except (ValueError, RecursionError):  # huge numbers
            raise SourceFault(0, "an argument of a plugin is too long") from None
        source = source.replace(text, f"grader.{call}({', '.join(given)})", 1)
    return source


def _plugin_blocks(source: str) -> list[tuple[dict[str, Any], str]]:
    """The settings and the text of each plugin block of a cell; raises SourceFault."""
    found: list[tuple[dict[str, Any], str]] = []
    begun: list[str] | None = None
    for number, line in enumerate(source.split("\n"), start=1):
        bare = line.rstrip()
        if bare.endswith(_BEGIN):
            if begun is not None:
                raise SourceFault(number, "BEGIN PLUGIN inside another plugin block")
            begun = [line]
        elif bare.endswith(_END):
            if begun is None:
                raise SourceFault(number, "END PLUGIN without a BEGIN PLUGIN before it")
            found.append((_plugin(begun[1:], number), "\n".join([*begun, line])))
            begun = None
        elif begun is not None:
            begun.append(line)
    if begun is not None:
        raise SourceFault(0, "BEGIN PLUGIN without an END PLUGIN after it")
    return found


def _plugin(lines: list[str], number: int) -> dict[str, Any]:
    config = read_yaml("\n".join(lines))
    args, named = config.get("args") or [], config.get("kwargs") or {}
    if "plugin" not in config or not isinstance(args, list) or not isinstance(named, dict):
        raise SourceFault(
            number, "a plugin block needs 'plugin'; 'args' is a list, 'kwargs' a mapping"
        )
    return config
