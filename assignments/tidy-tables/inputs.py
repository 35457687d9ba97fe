"""Seeded inputs of `tidy-tables`: each generator returns a list of calls.

Tables have labels of rows that say nothing, unsorted rows, missing prices, products that nobody
ordered, and orders of unknown products.
"""

import numpy as np
import pandas as pd

CITIES = ("Bern", "Kiev", "Lima", "Oslo", "Rome", "Wien")
PRODUCTS = ("figs", "nuts", "oats", "plums", "rice", "salt", "tea")
CATEGORIES = ("drinks", "dry", "fruit")


def shown_pair(rng):
    """Four orders, one of them of an unknown product, and three products."""
    orders = pd.DataFrame(
        {
            "order": [1, 2, 3, 4],
            "product": ["tea", "figs", "salt", "tea"],
            "city": ["Oslo", "Rome", "Oslo", "Bern"],
            "quantity": [2, 1, 3, 1],
        }
    )
    products = pd.DataFrame(
        {
            "product": ["salt", "tea", "nuts"],
            "category": ["dry", "drinks", "dry"],
            "price": [0.5, 4.0, 1.5],
        }
    )
    return [(orders, products)]


def pairs(rng):
    """Orders and products of several sizes; then one of both again with another one."""
    sizes = ((9, 4), (1, 1), (14, 6))
    calls = [(_orders(rng, n), _products(rng, PRODUCTS[1 : m + 1])) for n, m in sizes]
    orders, products = calls[0]
    return [*calls, (_orders(rng, 9), products), (orders, _products(rng, PRODUCTS[1:5]))]


def shown_priced(rng):
    """Five priced orders in three cities; Bern's only one has no price."""
    return [
        (
            pd.DataFrame(
                {
                    "city": ["Rome", "Oslo", "Rome", "Bern", "Oslo"],
                    "quantity": [2, 1, 3, 1, 2],
                    "price": [1.5, 4.0, np.nan, np.nan, 0.5],
                }
            ),
        )
    ]


def priced(rng):
    """Priced orders of several sizes."""
    calls = []
    for n in (10, 1, 17, 10):
        table = _orders(rng, n)[["city", "quantity"]]
        prices = np.round(rng.uniform(0.5, 9, size=n), 2)
        prices[rng.random(n) < 0.2] = np.nan
        calls.append((table.assign(price=prices),))
    return calls


def shown_products(rng):
    """Six products of three categories; no price of the fruit is known."""
    return [
        (
            pd.DataFrame(
                {
                    "product": ["rice", "salt", "nuts", "oats", "tea", "figs"],
                    "category": ["dry", "dry", "dry", "dry", "drinks", "fruit"],
                    "price": [1.0, 2.0, 9.0, np.nan, 4.0, np.nan],
                }
            ),
        )
    ]


def product_tables(rng):
    """Products of which some prices are missing."""
    calls = []
    for n in (7, 12, 1, 7):
        names = [f"product {number}" for number in rng.permutation(n)]
        table = _products(rng, names)
        table.loc[rng.random(n) < 0.4, "price"] = np.nan
        calls.append((table,))
    return calls


def shown_dates(rng):
    """Four orders from December to March, none in February."""
    dates = ["2023-12-30", "2024-01-02", "2024-03-01", "2024-01-31"]
    return [(pd.DataFrame({"order": [4, 2, 3, 1], "date": pd.to_datetime(dates)}),)]


def dated(rng):
    """Orders of more than a year, of one day, and of few months far apart."""
    calls = []
    for n, days in ((40, 500), (3, 1), (4, 300), (4, 200)):
        dates = pd.Timestamp("2022-11-17") + pd.to_timedelta(rng.integers(0, days, size=n), "D")
        calls.append((_orders(rng, n).assign(date=dates),))
    return calls


def shown_best(rng):
    """Figs and tea have equally many pieces; salt has most orders."""
    orders = pd.DataFrame(
        {
            "order": [1, 2, 3, 4, 5, 6],
            "product": ["tea", "salt", "figs", "salt", "rice", "salt"],
            "quantity": [6, 1, 6, 1, 8, 1],
        }
    )
    return [(orders, 2)]


def best(rng):
    """Orders with many ties; k from 1 to more than there are products."""
    return [(_orders(rng, n), k) for n, k in ((20, 3), (6, 1), (12, 9), (30, 5), (20, 3))]


def _orders(rng, n):
    """n orders, with labels of rows that say nothing."""
    table = pd.DataFrame(
        {
            "order": rng.permutation(n) + 1,
            "product": rng.choice(PRODUCTS, size=n),
            "city": rng.choice(CITIES, size=n),
            "quantity": rng.integers(1, 5, size=n),
        }
    )
    return table.set_index(pd.Index(rng.permutation(n) + 100))


def _products(rng, names):
    """A product of each name, in any order."""
    n = len(names)
    table = pd.DataFrame(
        {
            "product": rng.permutation(list(names)),
            "category": rng.choice(CATEGORIES, size=n),
            "price": np.round(rng.exponential(3, size=n) + 0.5, 2),
        }
    )
    return table.set_index(pd.Index(rng.permutation(n) + 50))
