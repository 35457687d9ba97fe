"""An assignment with two answers in Markdown cells, one of them beside code."""

from __future__ import annotations

import tomllib

from autograder.assignment.model import Assignment
from tests.support.cases import read_files

TOML, SOLUTION = read_files("courses/text_answers.txt").values()


def assignment() -> Assignment:
    return Assignment.model_validate(tomllib.loads(TOML))
