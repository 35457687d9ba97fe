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
            "date": pd.to_datetime(["2024-01-05", "2024-01-20", "2024-02-02", "2024-04-01"]),
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
    """Five priced orders in three cities, two of them alike; Bern's only one has no price."""
    return [
        (
            pd.DataFrame(
                {
                    "city": ["Rome", "Oslo", "Rome", "Bern", "Oslo", "Oslo"],
                    "quantity": [2, 1, 3, 1, 2, 1],
                    "price": [1.5, 4.0, np.nan, np.nan, 0.5, 4.0],
                }
            ),
        )
    ]


def priced(rng):
    """Priced orders of several sizes."""
    calls = []
    for n in (10, 1, 17, 10):
        table = _orders(rng, n)[["city", "quantity"]]
        prices = rng.choice([0.75, 1.2, 2.5, 4.99], size=n)  # equal orders occur
        prices[rng.random(n) < 0.2] = np.nan
        if n == 17:
            prices[table["city"] == table["city"].iloc[0]] = np.nan
        calls.append((table.assign(price=prices),))
    return calls


def shown_products(rng):
    """Seven products of three categories; two cost the same, and no price of the fruit is known."""
    return [
        (
            pd.DataFrame(
                {
                    "product": ["rice", "salt", "nuts", "oats", "tea", "figs", "peas"],
                    "category": ["dry", "dry", "dry", "dry", "drinks", "fruit", "dry"],
                    "price": [1.0, 2.0, 9.0, np.nan, 4.0, np.nan, 1.0],
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
        table["price"] = rng.choice([0.5, 0.75, 1.0, 2.5, 8.0], size=n)  # equal prices occur
        table.loc[rng.random(n) < 0.4, "price"] = np.nan
        calls.append((table,))
    # each label is that of a known and of a missing price
    table = _products(rng, [f"product {number}" for number in range(8)])
    table.loc[table.index[::2], "price"] = np.nan
    return [*calls, (table.set_index(pd.Index(np.arange(8) // 2)),)]


def shown_dates(rng):
    """Five orders from December to March, none in February and two on one day."""
    dates = ["2023-12-30", "2024-01-02", "2024-03-01", "2024-01-31", "2024-01-02"]
    orders = pd.DataFrame(
        {
            "order": [4, 2, 3, 1, 5],
            "product": ["tea", "salt", "tea", "rice", "tea"],
            "city": ["Oslo", "Rome", "Rome", "Oslo", "Bern"],
            "quantity": [1, 3, 2, 1, 1],
            "date": pd.to_datetime(dates),
        }
    )
    return [(orders,)]


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
            "city": ["Oslo", "Rome", "Rome", "Oslo", "Bern", "Oslo"],
            "quantity": [6, 1, 6, 1, 8, 1],
            "date": pd.date_range("2024-01-05", periods=6, freq="9D"),
        }
    )
    return [(orders, 2)]


def best(rng):
    """Orders with many ties; k from 1 to more than there are products."""
    return [(_orders(rng, n), k) for n, k in ((20, 3), (6, 1), (12, 9), (30, 5), (20, 3))]


# Small calls for feedback: the first rows of the examples, so that no product is listed twice.


def shown_pair_small(rng):
    """Few orders and few products."""
    ((orders, products),) = shown_pair(rng)
    return [(orders[:n], products[:m]) for n, m in ((1, 1), (1, 2), (2, 2), (3, 2), (2, 3), (4, 2))]


def pairs_small(rng):
    """The same."""
    return shown_pair_small(rng)


def shown_products_small(rng):
    """Few products, with and without a missing price."""
    ((products,),) = shown_products(rng)
    rows = ([0, 3], [0, 1, 3], [0, 2, 3, 6], [1, 4], [3], [4, 5], [0, 1, 2, 3], [3, 4, 6])
    return [(products.iloc[own].reset_index(drop=True),) for own in rows]


def product_tables_small(rng):
    """The same."""
    return shown_products_small(rng)


def shown_dates_small(rng):
    """Few orders."""
    ((orders,),) = shown_dates(rng)
    rows = ([0], [1, 3], [0, 1], [1, 2], [0, 2], [1, 4], [0, 1, 4])
    return [(orders.iloc[own].reset_index(drop=True),) for own in rows]


def dated_small(rng):
    """The same."""
    return shown_dates_small(rng)


def shown_best_small(rng):
    """Few orders."""
    ((orders, _),) = shown_best(rng)
    rows = (([0], 1), ([0, 1], 1), ([0, 2], 1), ([1, 3, 4], 2), ([0, 2], 3), ([1, 3, 5, 2], 1))
    return [(orders.iloc[own].reset_index(drop=True), k) for own, k in rows]


def best_small(rng):
    """The same."""
    return shown_best_small(rng)


def _orders(rng, n):
    """n orders, with labels of rows that say nothing."""
    table = pd.DataFrame(
        {
            "order": rng.permutation(n) + 1,
            "product": rng.choice(PRODUCTS, size=n),
            "city": rng.choice(CITIES, size=n),
            "quantity": rng.integers(1, 5, size=n),
            "date": pd.Timestamp("2023-10-01") + pd.to_timedelta(rng.integers(0, 90, size=n), "D"),
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
