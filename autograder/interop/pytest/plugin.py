"""What pytest loads of us in every run: the options, and nothing more until one is used.

The rest, torch with it, is imported when ``--autograder`` is given.
"""

from __future__ import annotations

import pytest

HOOKS = "autograder.interop.pytest.hooks"
LEVELS = ("weak", "medium", "strong")
SEED = 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, in a group of their own."""
    group = parser.getgroup("autograder", "a notebook's checks as tests")
    group.addoption(
        "--autograder",
        action="append",
        default=[],
        metavar="ASSIGNMENT",
        help="an assignment's id, its folder, or a file of public checks (.agw); repeatable",
    )
    group.addoption(
        "--submission",
        action="append",
        default=[],
        metavar="FILE",
        help="a notebook to grade; FILE::EXERCISE::CHECK for a part of it; repeatable",
    )
    group.addoption("--autograder-public", action="store_true", help="only the public checks")
    group.addoption(
        "--autograder-hidden",
        action="store_true",
        help="show hidden checks one by one, with what they found: not for students",
    )
    group.addoption(
        "--autograder-mistakes",
        action="store_true",
        help="run the known mistakes as well, and say which one an answer equals; slower",
    )
    group.addoption(
        "--autograder-seed",
        type=int,
        default=SEED,
        metavar="NUMBER",
        help="of the hidden inputs (%(default)s)",
    )
    group.addoption(
        "--require",
        choices=LEVELS,
        default="medium",
        help="refuse to run with less isolation than this (%(default)s)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """A conftest.py that lies beside a submission is the student's: none is run."""
    if early_config.known_args_namespace.autograder:
        # guard: nothing beside a submission is run by pytest
        early_config.known_args_namespace.noconftest = True


def pytest_configure(config: pytest.Config) -> None:
    """Go on, where there is something to grade."""
    if config.getoption("autograder"):
        config.option.noconftest = True
        config.pluginmanager.import_plugin(HOOKS)
    elif config.getoption("submission"):
        raise pytest.UsageError("--submission needs --autograder ASSIGNMENT")
