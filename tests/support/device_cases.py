"""Student-like code and what becomes of it on a CPU and on a CUDA device, read from data.

``cases/device_cases.txt`` has a cell for each case, ``# %% <id> <what it shows>``. It states
the ``family`` (how the driver calls the code), the verdicts ``cpu`` and ``cuda`` when all is moved
there with an accelerator in reach, text of the ``line`` that raises, and the ``origin`` of the odd
tensor: its kind, and its name or the text that made it. A cell with a ``template`` gives only what
it puts in the template's places ``<name>``; the rest is what the template's own cell puts there.

The verdicts are what a CUDA build of PyTorch 2.13 does: ``ok`` passes, ``E`` raises, ``D`` leaves a
result on the wrong device, ``V`` gives wrong numbers. Those of ``CASES`` were confirmed on a device
(docs/devices.md); those of ``MORE`` follow from CUDA's rules, not from what the simulation said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tests.support.cases import CASES as CASES_FOLDER

Verdict = Literal["ok", "E", "D", "V"]


@dataclass(frozen=True)
class Case:
    """``cpu`` and ``cuda``: the verdict when all is moved there, with an accelerator in reach."""

    id: str
    family: str
    cpu: Verdict
    cuda: Verdict
    note: str
    source: str
    at: str = ""
    origin: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Cell:
    """A title, what the header says, code, and what is put in a template's places."""

    title: str
    header: Mapping[str, str]
    source: str
    places: Mapping[str, str]


def read_cell(text: str) -> Cell:
    title, _, rest = text.partition("\n")
    header = {}
    while match := re.match(r"# (\w+): (.*)\n?", rest):
        header[match[1]] = match[2]
        rest = rest[match.end() :]
    source, *places = re.split(r"^# <(\w+)>$", rest, flags=re.MULTILINE)
    pairs = zip(places[::2], places[1::2], strict=True)
    return Cell(title, header, source.strip("\n"), {name: code.strip("\n") for name, code in pairs})


def fill(template: str, places: Mapping[str, str]) -> str:
    """A template with its places filled; where one is a line of its own, its lines are indented."""
    lines = []
    for line in template.splitlines():
        if match := re.fullmatch(r"( *)<(\w+)>", line):
            lines += [match[1] + part for part in places[match[2]].splitlines()]
        else:
            for name, code in places.items():
                line = line.replace(f"<{name}>", code)
            lines.append(line)
    return "\n".join(lines)


def read_cases(text: str) -> tuple[Case, ...]:
    templates: dict[str, Cell] = {}
    cases = []
    for part in re.split(r"^# %% ", text, flags=re.MULTILINE)[1:]:
        cell = read_cell(part)
        if cell.title.startswith("template "):
            templates[cell.title.removeprefix("template ")] = cell
            continue
        header, source = dict(cell.header), cell.source
        if "template" in header:
            template = templates[header["template"]]
            header = {**template.header, **header}
            source = fill(template.source, {**template.places, **cell.places})
        id_, _, note = cell.title.partition(" ")
        verdicts = header.get("cpu", "ok"), header.get("cuda", "ok")
        kind, _, name = header.get("origin", "").partition(" ")
        where = header.get("line", ""), (kind, name)
        cases.append(Case(id_, header["family"], *verdicts, note, source + "\n", *where))
    return tuple(cases)


_ALL = read_cases((CASES_FOLDER / "device_cases.txt").read_text("utf-8"))
CASES = tuple(case for case in _ALL if case.id[0] in "ABCDEF")
MORE = _ALL[len(CASES) :]
