"""Small downloads, made by hand, and how they are read."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.interop.arrivals import Arrivals, read_arrivals
from tests.support.class_of_sixty.klass import tiny

BERLIN = ZoneInfo("Europe/Berlin")
NB = tiny("s", 1)
LARGER = tiny("the larger one", 1) + b"\n" * 100


def write(folder: Path, *names: str) -> Path:
    """Write files of these names: notebooks, or something else by their ending."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(NB if name.endswith((".ipynb", ".py")) else b"other")
    return folder


def arrived(path: Path, roster: Roster = NO_ROSTER, **more: str) -> Arrivals:
    """What was handed in under a path, in Berlin."""
    return read_arrivals([path], roster=roster, timezone=BERLIN, **more)  # type: ignore[arg-type]


def people(*ids: str) -> Roster:
    """A roster of these ids."""
    return Roster(tuple(Person(id, name=f"Student {id}") for id in ids))


def students(path: Path, roster: Roster = NO_ROSTER, **more: str) -> list[str]:
    """Whose the submissions are, in the order of the arrivals."""
    return [arrival.student for arrival in arrived(path, roster, **more).arrivals]
