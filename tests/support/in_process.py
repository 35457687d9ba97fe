"""Commands that run in this process, and a warm box that is lent to them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import pytest

from autograder import cli
from autograder.classroom import boxes
from autograder.interop import stored_reference
from autograder.sandbox.box import OF_NO_ASSIGNMENT, Box


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def notes(self) -> str:
        """What it says on stderr besides the steps that it takes, and how far it has come, which
        only a slow machine says."""
        lines = self.err.splitlines(keepends=True)
        return "".join(line for line in lines if not _STEP.fullmatch(line))


_STEP = re.compile(r"(.* \.\.\.|[a-z ]+:? \d+ of \d+, .*(min|left|rejected).*)\n")


def command(*arguments: object) -> Ran:
    """Run one command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        cli.main([str(argument) for argument in arguments])
    code = left.value.code
    return Ran(
        code if isinstance(code, int) else int(code is not None), out.getvalue(), err.getvalue()
    )


def done(*arguments: object) -> Ran:
    """The same for a command that must succeed."""
    ran = command(*arguments)
    assert ran.code == 0, ran.out + ran.err
    return ran


class Lent:
    """A warm box that stays: closing it does nothing."""

    def __init__(self, box: Box) -> None:
        self._box = box

    def __getattr__(self, name: str) -> Any:
        return getattr(self._box, name)

    def close(self) -> None:
        """It is still needed."""


@contextmanager
def lending(box: Box) -> Iterator[Lent]:
    """Whatever box a command asks for, it gets this one, unless files or packages have to be in it:
    each submission would import pandas anew."""
    lent = Lent(box)

    def given(**options: Any) -> Any:
        contents = options["contents"]
        lacks = set(contents.packages).difference(OF_NO_ASSIGNMENT.packages)
        return Box(**options) if contents.files or lacks else lent

    with pytest.MonkeyPatch.context() as patch:
        for module in (boxes, stored_reference):
            patch.setattr(module, "Box", given)
        yield lent
