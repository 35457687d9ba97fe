"""How the assignments of a course count towards its total: a course.toml."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from autograder.assignment.document import load_table
from autograder.assignment.kinds import Frozen, Id


def _three_decimals(number: Decimal) -> Decimal:
    if number != number.quantize(Decimal("0.001")):
        raise ValueError("write a weight with at most three decimals")
    return number


class CourseAssignment(Frozen):
    """One assignment of a course."""

    id: Id
    """the assignment"""
    results: str = Field(min_length=1)
    """its results folder, relative to course.toml's folder"""
    weight: Annotated[Decimal, Field(gt=0, le=1_000_000), AfterValidator(_three_decimals)] = (
        Decimal(1)
    )
    """its weight in the total"""
    extra_credit: bool = False
    """it adds to the total but not to the maximum; it is never dropped"""


class CourseSpec(Frozen):
    """The contents of course.toml."""

    format: Literal[1]
    """the version of this format"""
    title: str = ""
    """of the course"""
    drop_lowest: int = Field(default=0, ge=0)
    """how many of each student's assignments, those with the lowest share of their points, do not
    count"""
    assignment: tuple[CourseAssignment, ...] = Field(min_length=1)
    """its assignments"""

    @model_validator(mode="after")
    def _means_something(self) -> Self:
        ids = [entry.id for entry in self.assignment]
        if len(set(ids)) < len(ids):
            raise ValueError("two assignments have the same id; correct one of them")
        if self.drop_lowest >= sum(not entry.extra_credit for entry in self.assignment):
            raise ValueError("drop_lowest would drop every assignment; lower it")
        return self


def load_course(path: Path) -> CourseSpec:
    """Read a course.toml. Raises ``SpecError`` with every problem."""
    return load_table(CourseSpec, path)
