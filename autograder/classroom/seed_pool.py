"""Seeds of future classes, each with the evidence of the known mistakes, in the user's cache.

::

    CACHE/autograder/seeds/ASSIGNMENT/DIGEST-RANDOM/    the seed, and an evidence folder

A seed serves one class. Taking it moves its folder away first, so that only one of two graders gets
it, and then removes it. It is drawn from the system's randomness long before, and no submission
meets it until its class is graded: the feedback of one class says nothing about the next.

Covered: other users, who cannot read, write or plant anything there; student code (no box shows the
folder); what is damaged, unfinished, or of another version of the assignment or the grader (it
counts as absent); growth. Not covered: whoever may act as the user.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import Offer
from autograder.classroom.results_folder import SEED_BITS
from autograder.evidence.store import EvidenceFolder, Records, versions
from autograder.files import in_cache, not_written, write_atomic
from autograder.wire.types import resolved

MOST = 8  # seeds that are kept for one assignment
MOST_MB = 1024  # for all assignments together; the oldest seeds are removed first
LEFT_OVER_S = 86_400.0  # unfinished for this long: left by a killed grader
SEED = "seed.json"
UNFINISHED = ".unfinished-"


class SeedFile(msgspec.Struct, frozen=True):
    """The file next to the evidence of a seed, with the keys of the evidence by the name of each
    known mistake."""

    format: Literal["autograder-seed/1"]
    seed: int
    mistakes: dict[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class SeedPool:
    """The seeds of one assignment; ``digest``: of everything that their evidence depends on."""

    folder: Path
    digest: str

    def ready(self) -> list[Path]:
        """The folders of the seeds that may be used, oldest first."""
        # Seeds of a folder that others may write to are not used.
        if not (_is_private(self.folder.parent) and _is_private(self.folder)):
            return []
        found = self.folder.glob(f"{self.digest}-*")
        # A seed drawn ahead is the user's alone.
        return sorted(filter(_is_private, found), key=_made_at)

    def take(self, store: Records) -> SeedFile | None:
        """A seed that no class had before, its evidence now in ``store``; None if there is none.
        Raises ``StoreError`` if the store cannot be written."""
        for folder in self.ready():
            taken = self._unfinished()
            try:
                folder.rename(taken)  # a seed drawn ahead serves one class
                taken.touch()
            except OSError:  # another grader was first; or the seed would stay, and be used twice
                continue
            try:
                found = _seed_in(taken)
                if found is not None:
                    store.take_over(EvidenceFolder(taken))
                    return found
            finally:
                shutil.rmtree(taken, ignore_errors=True)
        return None

    def add(self, make: Callable[[int, Path], Mapping[str, tuple[str, ...]]]) -> None:
        """Draw a seed, and store it with the evidence that ``make`` writes for it into a folder and
        the keys that it returns.

        Raises ``StoreError``, and what ``make`` raises.
        """
        seed, making = secrets.randbits(SEED_BITS), self._unfinished()
        try:
            for folder in (self.folder.parent, self.folder, making):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                folder.chmod(0o700)  # a folder of seeds is closed again
            drawn = SeedFile("autograder-seed/1", seed, dict(make(seed, making)))
            write_atomic(making / SEED, msgspec.json.encode(drawn))
            making.rename(self.folder / f"{self.digest}-{secrets.token_hex(8)}")
        except OSError as failed:
            raise not_written(making, failed) from None
        finally:
            shutil.rmtree(making, ignore_errors=True)
        self._tidy()

    def _unfinished(self) -> Path:
        return self.folder / f"{UNFINISHED}{secrets.token_hex(8)}"

    def _tidy(self) -> None:
        """Remove what other versions and killed graders left, then the oldest seeds beyond the
        limit for all assignments."""
        for folder in self.folder.iterdir():
            unfinished = folder.name.startswith(UNFINISHED)
            left_over = unfinished and time.time() - _made_at(folder) > LEFT_OVER_S
            # Seeds that a killed grader left are removed.
            if left_over or not (unfinished or folder.name.startswith(f"{self.digest}-")):
                shutil.rmtree(folder, ignore_errors=True)
        room = float(MOST_MB * 2**20)
        for folder in sorted(self.folder.parent.glob("*/*"), key=_made_at, reverse=True):
            room -= sum(_size(path) for path in folder.rglob("*"))
            if room < 0:
                shutil.rmtree(folder, ignore_errors=True)


def seeds_folder() -> Path:
    """The folder of all pools, private to the user. It is created if it is missing: a box can only
    cover what exists when it starts."""
    folder = in_cache("seeds")
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def pool_of(loaded: Loaded, offer: Offer) -> SeedPool:
    """The seeds that fit an assignment as it is now, with these models and this grader."""
    where = hashlib.sha256(str(loaded.folder.resolve()).encode()).hexdigest()[:12]
    digest = hashlib.sha256()
    mistakes = sorted((loaded.solutions / "mistakes").glob("*.py"))
    for file in filter(Path.is_file, (loaded.solution, *mistakes)):
        digest.update(hashlib.sha256(file.read_bytes()).digest() + file.name.encode())
    rest = (loaded.digest, offer.digest, sorted(offer.unavailable), sorted(versions().items()))
    digest.update(msgspec.json.encode(rest))
    return SeedPool(seeds_folder() / f"{loaded.spec.id}-{where}", digest.hexdigest()[:16])


def _seed_in(folder: Path) -> SeedFile | None:
    """The seed of a folder; None where its file is damaged or of another version."""
    try:
        found = msgspec.json.decode((folder / SEED).read_bytes(), type=resolved(SeedFile))
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    return found if 0 <= found.seed < 2**SEED_BITS else None


def _is_private(folder: Path) -> bool:
    """Whether this is the user's own folder, which nobody else may read or write."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    own = found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return own and stat.S_ISDIR(found.st_mode)


def _made_at(path: Path) -> float:
    return _state(path, "st_mtime")


def _size(path: Path) -> float:
    return _state(path, "st_size")


def _state(path: Path, name: str) -> float:
    """A field of ``lstat``; 0 if another grader has removed the file meanwhile."""
    try:
        return float(getattr(path.lstat(), name))
    except OSError:
        return 0.0
