"""The sandboxes that an assignment's jobs run in, on this machine."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.assignment.packages import TORCH, imports_torch
from autograder.assignment.pretrained import Offer
from autograder.classroom.personal_values import secret_path
from autograder.classroom.seed_pool import seeds_folder
from autograder.execution.dask.site import Site
from autograder.grading.device_runs import NO_DEVICES, Devices, chosen, used, wanted_devices
from autograder.sandbox.accelerators import Accelerator, find_accelerators
from autograder.sandbox.box import Box, Level
from autograder.sandbox.lazy import LazyBox


def hidden_from_all(loaded: Loaded) -> tuple[Path, ...]:
    """The folders of an assignment, and the seeds of future classes: no box shows them to student
    code."""
    own = loaded.folder, loaded.solutions, loaded.template.parent, seeds_folder()
    # No box shows the secret of personal values.
    return (*own, secret_path(loaded).parent) if loaded.spec.personal else own


def site_of(loaded: Loaded, offer: Offer, *, require: Level, hide: Sequence[Path] = ()) -> Site:
    """How the boxes of an assignment are made; its folders and ``hide`` are hidden in them."""
    return Site(
        require=require,
        hidden=tuple(str(path.resolve()) for path in (*hidden_from_all(loaded), *hide)),
        packages=warm_packages(offer),
        models=str(offer.folder.resolve()) if offer.folder is not None else "",
        files=dict(loaded.files.contents),
    )


def box_for(loaded: Loaded, offer: Offer, *, require: Level, hide: Sequence[Path] = ()) -> LazyBox:
    """A box for an assignment, in which its folders and ``hide`` are hidden."""
    return box_at(site_of(loaded, offer, require=require, hide=hide))


def box_at(
    site: Site,
    *,
    without: Collection[str] = (),
    device: Accelerator | None = None,
    libraries: Mapping[str, str] | None = None,
) -> LazyBox:
    """A box on this machine. ``without`` names layers to leave off, ``device`` one to let in; they
    and ``libraries`` are as for ``Box``."""

    def make() -> Box:
        return Box(contents=site.contents, without=without, device=device, libraries=libraries)

    return LazyBox(make, require=site.require)


def box_of_no_assignment(require: Level, notebook: Path) -> LazyBox:
    """A box for a notebook that does not belong to an assignment yet."""
    packages = (TORCH,) if imports_torch(notebook) else ()
    return box_at(Site(require, hidden=(str(seeds_folder()),), packages=packages))


@contextmanager
def devices_for(assignment: Assignment, site: Site, wish: str) -> Iterator[Devices]:
    """The real accelerators to test on as well, with a box of their own.

    ``wish`` is "auto" (what is available and some check asks for), "none", or a name. Raises
    ``UsageError`` for a device that is not available.
    """
    wanted = wanted_devices(assignment)
    if wish == "none" or (wish == "auto" and not wanted):
        yield NO_DEVICES
        return
    found = find_accelerators()
    names = chosen(wish, found.kinds, found.reason)
    device = found.first(names[0]) if names else None
    if device is None or (wish == "auto" and device.kind not in wanted):
        yield Devices(note=f"no real accelerator: {found.reason or 'none that a check asks for'}")
        return
    with box_at(site, device=device) as box:
        yield used(device, box)


@contextmanager
def stored_devices(site: Site, wish: str, before: Sequence[str]) -> Iterator[Devices]:
    """The devices that a class was graded on, to judge it again from their stored runs.

    A new solution can be run on those that are still available. Raises ``UsageError`` for a device
    on which the class was not graded.
    """
    names = chosen(wish, before, "the class was graded without one; run `autograder grade` again")
    device = find_accelerators().first(names[0]) if names else None
    if device is None:
        yield Devices(names)
        return
    with box_at(site, device=device) as box:
        yield used(device, box)


def warm_packages(offer: Offer) -> tuple[str, ...]:
    """What the zygote imports beyond its own needs."""
    if "transformers" not in offer.packages or offer.folder is None:
        return offer.packages
    parts = (
        "gpt2.modeling_gpt2",
        "gpt2.tokenization_gpt2",
        "auto.modeling_auto",
        "auto.tokenization_auto",
    )
    return (*offer.packages, *(f"transformers.models.{part}" for part in parts))
