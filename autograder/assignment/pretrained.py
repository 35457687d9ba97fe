"""The pretrained models that an assignment offers its students, as a read-only cache.

``models/`` in the assignment's folder, in the layout of a Hugging Face cache, is used as
it is. Otherwise ``make_model.py`` beside assignment.toml makes one (``make(folder)``),
once, in the user's cache folder. Nothing is ever downloaded.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.load import Loaded, left_out_for_all
from autograder.assignment.packages import missing
from autograder.errors import SpecError
from autograder.files import cache_folder

_MAKE = (
    "import importlib.util, pathlib, sys; "
    "spec = importlib.util.spec_from_file_location('make_model', sys.argv[1]); "
    "module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module); "
    "module.make(pathlib.Path(sys.argv[2]))"
)


@dataclass(frozen=True, slots=True)
class Offer:
    """What the box can offer: the models' folder and digest, and exercises it cannot offer."""

    folder: Path | None
    digest: str
    unavailable: frozenset[str]
    packages: tuple[str, ...]


def prepare(loaded: Loaded) -> Offer:
    """Find or make the models; exercises whose packages are missing are left out for all."""
    required = {p for e in loaded.spec.exercise for p in e.requires}
    have = (required - set(missing(required))) | set(loaded.packages)
    unavailable = frozenset(e.id for e in loaded.spec.exercise if not set(e.requires) <= have)
    offered = [e for e in loaded.spec.exercise if e.requires and e.id not in unavailable]
    if not offered or not loaded.spec.model:
        return Offer(None, "", unavailable, tuple(sorted(have)))
    own = loaded.folder / "models"
    if own.is_dir():
        listing = sorted((str(p.relative_to(own)), p.stat().st_size) for p in own.rglob("*"))
        digest = hashlib.sha256(repr(listing).encode()).hexdigest()[:16]
        return Offer(own, digest, unavailable, tuple(sorted(have)))
    maker = loaded.folder / "make_model.py"
    if not maker.is_file():
        raise SpecError(
            [
                f"{loaded.folder}: model = {loaded.spec.model!r}, but there is neither a models/ "
                "folder nor a make_model.py; add one of them"
            ]
        )
    digest = hashlib.sha256(maker.read_bytes()).hexdigest()[:16]
    return Offer(_made(maker, digest), digest, unavailable, tuple(sorted(have)))


def left_out(loaded: Loaded, offer: Offer) -> list[str]:
    """A sentence for each exercise that nobody is asked, with the packages that are missing."""
    return [
        left_out_for_all(one, lacking)
        for one in loaded.spec.exercise
        if (lacking := sorted(set(one.requires) - set(offer.packages)))
    ]


def _made(maker: Path, digest: str) -> Path:
    """The folder that ``maker`` makes, from the user's cache when it is there already."""
    target = cache_folder("models") / digest
    if target.is_dir():
        return target
    fresh = Path(tempfile.mkdtemp(prefix="making-", dir=target.parent))
    done = subprocess.run(  # noqa: S603  the instructor's own script
        [sys.executable, "-I", "-c", _MAKE, str(maker), str(fresh)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        shutil.rmtree(fresh, ignore_errors=True)
        raise SpecError([f"{maker}: make() failed:\n{done.stderr.strip()[-1500:]}"])
    fresh.chmod(0o755)
    try:
        fresh.rename(target)
    except OSError:  # another grader was quicker
        shutil.rmtree(fresh, ignore_errors=True)
    return target
