"""The relations that came with public evidence, as functions: the course's own code, imported."""

from __future__ import annotations

import hashlib
import importlib.abc
import importlib.util
import inspect
from collections.abc import Mapping

from autograder.judging.checks.finding import Relations
from autograder.student.errors import GraderError
from autograder.student.public_evidence import PublicEvidence


def relations_of(public: PublicEvidence) -> Relations:
    """Every public function of the evidence's source by its name. Raises ``GraderError``."""
    if not public.relations:
        return {}
    source = public.relations.encode()
    name = f"autograder_public_{hashlib.sha256(source).hexdigest()[:12]}"
    loader = _Source(name, source)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    try:
        loader.exec_module(module)
    except Exception as bad:  # noqa: BLE001  made for another version of us
        raise GraderError(
            f"the checks of {public.assignment} do not fit this version of the package "
            f"({type(bad).__name__}: {bad}); install your course's newest one"
        ) from None
    members: Mapping[str, object] = dict(inspect.getmembers(module, inspect.isfunction))
    return {n: f for n, f in members.items() if not n.startswith("_")}  # type: ignore[misc]


class _Source(importlib.abc.SourceLoader):
    """Loads one module from text that is at hand."""

    def __init__(self, name: str, source: bytes) -> None:
        self._path, self._source = f"<{name}>", source

    def get_filename(self, fullname: str) -> str:
        return self._path

    def get_data(self, path: str | bytes) -> bytes:
        if path != self._path:
            raise OSError("there is no compiled file")
        return self._source
