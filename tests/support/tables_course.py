"""A course that uses pandas and scikit-learn: joins, groups, missing values, an estimator."""

from __future__ import annotations

TABLES = {
    "assignments/tables/assignment.toml": """
format = 1
id = "tables"
title = "Tables"

[limits]
memory_mb = 3000

[[exercise]]
id = "by_city"
title = "Group"
defines = ["by_city"]
requires = ["pandas"]

[[exercise.check]]
id = "by_city"
kind = "function"
title = "`by_city` adds up the sales of each city"
points = 2
public = true
call = "by_city"
inputs = "sales"
frame = { rows = "any" }

[[exercise.check]]
id = "hidden"
kind = "function"
title = "also where something is missing"
points = 1
call = "by_city"
inputs = "missing_sales"
frame = { rows = "any" }

[[exercise]]
id = "joined"
title = "Join"
defines = ["joined"]
requires = ["pandas"]

[[exercise.check]]
id = "joined"
kind = "function"
title = "`joined` keeps every order"
points = 2
public = true
call = "joined"
inputs = "orders"

[[exercise]]
id = "tidy"
title = "Tidy"
defines = ["tidy"]
requires = ["pandas"]

[[exercise.check]]
id = "tidy"
kind = "value"
title = "`tidy` is sorted by price"
points = 1
public = true
name = "tidy"

[[exercise.check]]
id = "latest"
kind = "value"
title = "`latest` is the last day"
points = 1
public = true
name = "latest"

[[exercise]]
id = "centred"
title = "An estimator of your own"
defines = ["Centred"]
requires = ["pandas"]

[[exercise.check]]
id = "centred"
kind = "function"
title = "`Centred` subtracts the means that it was fitted on"
points = 2
public = true
call = "Centred.transform"
inputs = "fitted"

[[exercise]]
id = "model"
title = "An estimator of scikit-learn"
defines = ["trained", "model"]
requires = ["sklearn"]

[[exercise.check]]
id = "coefficients"
kind = "value"
title = "`model` has the right coefficients"
points = 1
public = true
name = "model.coef_"

[[exercise.check]]
id = "predict"
kind = "function"
title = "`model` predicts"
points = 1
call = "model.predict"
inputs = "points"

[[exercise.check]]
id = "trained"
kind = "function"
title = "`trained` returns an estimator that predicts"
points = 1
call = "trained.predict"
inputs = "training"

[[exercise.check]]
id = "score"
kind = "function"
title = "it scores"
points = 1
call = "trained.score"
inputs = "scored"
""",
    "assignments/tables/inputs.py": """
import numpy as np
import pandas as pd

from autograder.assignment.arguments import made

CITIES = ["Berlin", "Oslo", "Paris"]


def _sales(rng, rows=6):
    return pd.DataFrame(
        {
            "city": rng.choice(CITIES, rows),
            "price": rng.integers(1, 40, rows) / 4,
            "day": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 9, rows), "D"),
        }
    )


def sales(rng):
    return [(_sales(rng),), (_sales(rng, 9),)]


def missing_sales(rng):
    table = _sales(rng)
    table.loc[2, "price"] = np.nan
    table.loc[3, "city"] = None
    return [(table,)]


def orders(rng):
    table = _sales(rng).assign(city=["Berlin", "Oslo", "Rome", "Oslo", "Paris", "Berlin"])
    return [(table, pd.DataFrame({"city": CITIES, "country": ["DE", "NO", "FR"]}))]


def fitted(rng):
    data, other = (pd.DataFrame(rng.normal(size=(5, 2)), columns=["a", "b"]) for _ in range(2))
    return [(made("Centred", then=[("fit", data)]), other)]


def points(rng):
    return [(rng.normal(size=(4, 2)),)]


def _made(rng):
    x = rng.normal(size=(30, 2))
    return made("trained", x, x @ [1.0, -2.0] + 0.5)


def training(rng):
    return [(_made(rng), rng.normal(size=(4, 2)))]


def scored(rng):
    x = rng.normal(size=(10, 2))
    return [(_made(rng), x, x[:, 0])]
""",
    "solutions/tables/solution.py": """# %% [markdown]
# # Tables

# %% locked=true
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

shop = pd.DataFrame(
    {
        "city": ["Oslo", "Paris", "Berlin", "Rome"],
        "price": [4.0, np.nan, 1.5, 2.5],
        "day": pd.to_datetime(["2024-01-03", "2024-01-01", "2024-01-02", "2024-01-02"]),
    }
)

# %% exercise="by_city"
def by_city(sales):
    # BEGIN SOLUTION
    return sales.groupby("city")["price"].sum()
    # END SOLUTION

# %% exercise="joined"
def joined(orders, cities):
    # BEGIN SOLUTION
    return orders.merge(cities, on="city", how="left")
    # END SOLUTION

# %% exercise="tidy"
# BEGIN SOLUTION
tidy = shop.dropna().sort_values("price").reset_index(drop=True)
latest = shop["day"].max()
# END SOLUTION

# %% exercise="centred"
class Centred:
    # BEGIN SOLUTION
    def fit(self, data):
        self.means_ = data.mean()
        return self

    def transform(self, data):
        return data - self.means_
    # END SOLUTION

# %% exercise="model"
def trained(x, y):
    # BEGIN SOLUTION
    return LinearRegression().fit(x, y)
    # END SOLUTION

# BEGIN SOLUTION
model = trained(np.array([[0.0, 1], [1, 0], [2, 2], [3, 1]]), np.array([1.0, 2, 3, 5]))
# END SOLUTION
""",
}
