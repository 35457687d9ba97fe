"""Data frames and estimators through the whole sandbox: arguments, results, changes in place."""

from __future__ import annotations

import pytest

from autograder.assignment.pretrained import Offer
from autograder.classroom.boxes import box_for
from autograder.grading.context import PreparedClass
from tests.support.changed_solution import graded, lost
from tests.support.courses import TABLES, prepare_course, write_course


@pytest.fixture(scope="module")
def tables(offer: Offer, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    loaded = write_course(tmp_path_factory.mktemp("course"), TABLES)
    with box_for(loaded, offer, require="weak") as box:
        yield prepare_course(loaded, box, tmp_path_factory.mktemp("evidence"))


SUM = 'sales.groupby("city")["price"].sum()'
JOIN = 'orders.merge(cities, on="city", how="left")'
FIT = "self.means_ = data.mean()"
RIGHT = {
    "the solution": [],
    "other ways": [
        (SUM, 'sales.groupby("city", sort=False).agg({"price": "sum"})["price"].rename("total")'),
        (JOIN, 'orders.join(cities.set_index("city"), on="city")'),
        (
            'shop.dropna().sort_values("price").reset_index(drop=True)',
            'shop[shop.price > 0].sort_values("price")',
        ),
        ('shop["day"].max()', 'shop["day"].max().to_pydatetime()'),
        (FIT, "self.means_ = data.to_numpy().mean(axis=0)"),
        ("LinearRegression()", "LinearRegression(copy_X=False)"),
    ],
}
WRONG = {
    "an inner join": ((JOIN, JOIN.replace("left", "inner")), "joined/joined", "row (city = 'Rome'"),
    "changed in place": (
        (
            f"return {JOIN}",
            'orders["x"] = 1\n    return orders.merge(cities, how="left").drop(columns="x")',
        ),
        "joined/joined",
        "changes its first argument in place",
    ),
    "a text for a time": (
        ('shop["day"].max()', 'str(shop["day"].max())'),
        "tidy/latest",
        "expected the time 2024-01-03",
    ),
    "means of the new data": (
        ("data - self.means_", "data - data.mean()"),
        "centred/centred",
        "column 'a'",
    ),
    "no intercept": (
        ("LinearRegression()", "LinearRegression(fit_intercept=False)"),
        "model/coefficients",
        "differ",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_in_another_form_passes(tables: PreparedClass, name: str) -> None:
    assert lost(graded(tables, *RIGHT[name])) == {}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_told_what_differs(tables: PreparedClass, name: str) -> None:
    change, check, text = WRONG[name]
    messages = lost(graded(tables, change))
    assert text in messages.get(check, "nothing"), messages
