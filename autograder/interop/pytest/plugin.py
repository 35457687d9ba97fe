"""What pytest loads in every run: the options, and nothing more until one is used.

The rest, including torch, is imported if ``--autograder`` is given.
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
        help="also run the known mistakes and name the one that an answer matches; slower",
    )
    group.addoption(
        "--autograder-seed",
        type=int,
        default=SEED,
        metavar="NUMBER",
        help="seed of the hidden inputs (default: %(default)s)",
    )
    group.addoption(
        "--require",
        choices=LEVELS,
        default="medium",
        help="refuse to run with less isolation than this (default: %(default)s)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Run no conftest.py next to a submission: it is the student's."""
    if early_config.known_args_namespace.autograder:
        # Nothing beside a submission is run by pytest.
        early_config.known_args_namespace.noconftest = True


def pytest_configure(config: pytest.Config) -> None:
    """Continue only if there is something to grade."""
    if config.getoption("autograder"):
        config.option.noconftest = True
        config.pluginmanager.import_plugin(HOOKS)
    elif config.getoption("submission"):
        raise pytest.UsageError("--submission needs --autograder ASSIGNMENT")
