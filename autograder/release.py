"""What students get, made from the solution: the notebook and the public evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.classroom import Report, box_for, make_setting, prepare_reference
from autograder.engines.base import Engine
from autograder.notebook.release import template_bytes
from autograder.public import (
    FILE,
    SEED,
    differences,
    public_bytes,
    public_evidence,
    read_public,
)
from autograder.spec.load import Loaded
from autograder.spec.pretrained import prepare


@dataclass(frozen=True, slots=True)
class Release:
    """Files with their contents."""

    files: Mapping[Path, bytes]

    def stale(self) -> Iterator[tuple[Path, str]]:
        """Files on disk that are not what the solution makes, and why. Raises ``StoreError``."""
        for path, content in self.files.items():
            if not path.is_file():
                yield path, "it is not there"
            elif path.name == FILE:
                old = read_public(path.read_bytes(), name=str(path))
                found = differences(old, read_public(content))
                if found:
                    yield path, f"differs from what the solution answers ({', '.join(found[:3])})"
            elif path.read_bytes() != content:
                yield path, "differs from what the solution makes"


def made_release(loaded: Loaded, engine: Engine, report: Report) -> Release:
    """Make everything; raises ``SpecError`` when the solution leaks into it or fails."""
    template = template_bytes(loaded.solution, loaded.spec)
    offer = prepare(loaded)
    with TemporaryDirectory() as folder, box_for(loaded, offer, require="weak") as box:
        setting = make_setting(
            loaded, offer, box, seed=SEED, draw=False, evidence=Path(folder)
        )
        prepared = prepare_reference(setting, engine, report, mistakes=False)
    public = public_evidence(loaded, setting.cases, prepared.expected)
    return Release({loaded.template: template, loaded.folder / FILE: public_bytes(public)})
