"""Reads the YAML file in which Gradescope records who submitted what, as plain text only.

Covered: size, number of nodes and depth are bounded; anchors and aliases are refused (an export has
none, and a few lines of them can expand without limit); tags are ignored, so that nothing is ever
constructed; every scalar stays text, so that ``0123`` is not an octal number. Results of earlier
gradings are skipped.
Not covered: several documents in one file, of which the first is read.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from autograder.errors import SubmissionError
from autograder.notebook.formats.text import Repairs, decode

Node = str | None | list["Node"] | dict[str, "Node"]

MAX_YAML = 50_000_000  # bytes
MAX_EVENTS = 4_000_000  # scalars, beginnings and ends
MAX_DEPTH = 40

_NULLS = ("", "~", "null", "Null", "NULL")
_SKIPPED = (":results", "results")
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_metadata(data: bytes, name: str) -> dict[str, Node]:
    """The top-level mapping of the file. Raises SubmissionError naming the file and the place."""
    if len(data) > MAX_YAML:
        raise SubmissionError(f"{name}: the file is larger than {MAX_YAML:,} bytes.")
    try:
        events = yaml.parse(decode(data, Repairs()), Loader=_LOADER)
        top = _build(_counted(events, name), name)
    except yaml.YAMLError as bad:
        mark = getattr(bad, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise SubmissionError(
            f"{name}{where}: this is not valid YAML. Download it again."
        ) from None
    except (ValueError, RecursionError) as bad:
        raise SubmissionError(f"{name}: this is not valid YAML ({str(bad)[:100]}).") from None
    if not isinstance(top, dict):
        raise SubmissionError(f"{name}: it contains no list of submissions. Download it again.")
    return top


def _counted(events: Iterator[yaml.Event], name: str) -> Iterator[yaml.Event]:
    """The events; refuses what no export needs."""
    depth = 0
    for number, event in enumerate(events):
        if number > MAX_EVENTS:
            raise SubmissionError(f"{name}: the file has more than {MAX_EVENTS:,} parts.")
        if isinstance(event, yaml.AliasEvent):
            raise SubmissionError(
                f"{name}: it contains aliases (*{event.anchor}), which are not supported."
            )
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise SubmissionError(f"{name}: it is nested more than {MAX_DEPTH} levels deep.")
        yield event


def _build(events: Iterator[yaml.Event], name: str) -> Node:
    for event in events:
        if isinstance(event, yaml.NodeEvent):
            return _node(event, events, name)
    return None


def _node(event: yaml.Event, events: Iterator[yaml.Event], name: str) -> Node:
    """The node that begins with ``event``, the rest of it taken from ``events``."""
    if isinstance(event, yaml.ScalarEvent):
        # YAML constructs nothing and changes no text.
        return None if event.implicit[0] and event.value in _NULLS else str(event.value)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Node] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_node(event, events, name))
        return items
    found: dict[str, Node] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _node(event, events, name)
        value = next(events)
        if isinstance(key, str) and key in _SKIPPED:
            _skip(value, events)
        elif isinstance(key, str) and key in found:
            raise SubmissionError(f"{name}: duplicate key {key[:80]!r}.")
        else:
            found[key if isinstance(key, str) else ""] = _node(value, events, name)
    return found


def _skip(event: yaml.Event, events: Iterator[yaml.Event]) -> None:
    depth = int(isinstance(event, yaml.CollectionStartEvent))
    while depth:
        event = next(events)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
