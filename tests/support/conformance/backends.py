"""The kinds of sandbox that behaviours are tried in, and what each has to enforce."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from itertools import product
from typing import Any

import pytest

from autograder.sandbox.box import ALL_LAYERS
from tests.support.conformance.behaviours import BEHAVIOURS
from tests.support.conformance.kind import Behaviour

BACKENDS: dict[str, tuple[str, ...]] = {
    "all": (),
    "no namespaces": ("namespaces",),
    "no cgroup": ("cgroup",),
    "no uid, no namespaces": ("uid", "namespaces"),
    "no landlock": ("landlock",),
    "no seccomp": ("seccomp",),
    "no seccomp, no namespaces": ("seccomp", "namespaces"),
    "cgroup alone": ("limits", "namespaces", "uid", "landlock", "seccomp"),
    "limits alone": ("namespaces", "uid", "landlock", "seccomp", "cgroup"),
    "nothing": ("limits", "namespaces", "uid", "landlock", "seccomp", "cgroup"),
}
NEWEST = 6  # the Landlock version that all of it takes
QUICK = ("all", "nothing")  # in these, what is promised is tried by default


def in_force(layers: Collection[str], landlock_version: int) -> frozenset[str]:
    """These layers of a box, and in words of our own what the machine itself gives."""
    found = {*layers, "always", "watch", "ordinary" if os.geteuid() else "root"}
    if "landlock" in layers:
        named = {"landlock-truncate": 3, "landlock-tcp": 4, "landlock-scopes": 6}
        found |= {name for name, since in named.items() if landlock_version >= since}
    if found & {"uid", "ordinary", "landlock", "seccomp"}:
        found.add("powerless")  # root without any capability, if it is root at all
    return frozenset(found)


def promised(behaviour: Behaviour, layers: Collection[str]) -> bool:
    """Whether one of what brings it about is in force."""
    return any(set(layer.split("+")) <= set(layers) for layer in behaviour.by)


def collected() -> Iterator[Any]:
    """Every backend with every behaviour that it promises, or that must fail in it.

    By default what is promised is tried, in the boxes of ``QUICK``.
    """
    for (backend, without), behaviour in product(BACKENDS.items(), BEHAVIOURS):
        layers = in_force(set(ALL_LAYERS) - set(without), NEWEST)
        holds = promised(behaviour, layers)
        wanted = holds or (behaviour.harmless and behaviour.sure)
        if wanted and (backend == "all" or not behaviour.once):
            marks = () if holds and backend in QUICK else pytest.mark.slow
            yield pytest.param(backend, behaviour, id=f"{backend}-{behaviour.name}", marks=marks)


COMBINATIONS = tuple(collected())
