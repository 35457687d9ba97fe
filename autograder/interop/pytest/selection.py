"""Which submissions, and which parts of them, the command line selects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SEPARATOR = "::"


@dataclass(frozen=True, slots=True)
class Selection:
    """One submission. ``parts``: (exercise,) or (exercise, check); empty means all of it."""

    name: str
    parts: tuple[tuple[str, ...], ...] = ()

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.name)

    def wants(self, exercise: str, check: str = "") -> bool:
        """Whether a check is selected; without ``check``, whether any of the exercise's is."""
        place = (exercise, check) if check else (exercise,)
        return not self.parts or any(
            all(one == other for one, other in zip(part, place, strict=False))
            for part in self.parts
        )


def selections(asked: Sequence[str]) -> tuple[Selection, ...]:
    """FILE and FILE::EXERCISE::CHECK, each file once, in the order in which it is first named."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for text in asked:
        name, *part = text.split(SEPARATOR)
        parts = found.setdefault(Path(name).as_posix(), [])
        if part:
            parts.append(tuple(part))
    return tuple(Selection(name, tuple(parts)) for name, parts in found.items())
