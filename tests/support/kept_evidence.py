"""Evidence that stays between runs of the tests, below pytest's cache.

It is named by all that could change it: the job, the versions, the code that runs it (see
``autograder.evidence.store``), and here the processor and the user as well. What was stopped is run
again, for it may have been a slow moment; what is compared by its cost is not to be kept here.
"""

from __future__ import annotations

import os
import shutil
import time
from hashlib import sha256
from pathlib import Path

import pytest

from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder, versions
from autograder.sandbox.processor import capabilities, passed_on

KEPT_S = 7 * 86_400  # of other code: somebody may go back to it


class KeptEvidence(EvidenceFolder):
    """A folder of evidence that gives back only what ran to its end."""

    def load(self, key: str) -> Run | None:
        """As in ``EvidenceStore``."""
        run = super().load(key)
        return run if run is not None and complete(run) else None


def complete(run: Run) -> bool:
    """Whether nothing was stopped."""
    return all(record.stop is None for record in (*run.cells, *run.probes))


def kept_folder(config: pytest.Config) -> Path | None:
    """The folder for evidence of this code on this machine; None without pytest's cache."""
    cache = getattr(config, "cache", None)
    if cache is None:  # -p no:cacheprovider
        return None
    return folder_in(cache.mkdir("evidence"))


def folder_in(stores: Path) -> Path:
    """The folder for evidence of this code on this machine among ``stores``, of which those that
    nobody needs any more are removed."""
    circumstances = [sorted(versions().items()), passed_on(), capabilities(), os.geteuid()]
    name = sha256(repr(circumstances).encode()).hexdigest()[:16]
    (stores / name).mkdir(parents=True, exist_ok=True)
    for store in stores.iterdir():
        if store.name != name and time.time() - store.stat().st_mtime > KEPT_S:
            shutil.rmtree(store, ignore_errors=True)
    return stores / name
