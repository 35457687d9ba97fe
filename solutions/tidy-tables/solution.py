# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Tidy tables: join, group, fill and count with pandas
#
# A shop keeps two tables. `orders` has one row for each order: its number `order`, the `product`, the
# `city` it went to, the `quantity` and the `date`. `products` has one row for each product: its name
# `product`, its `category` and its `price`. No product is listed twice.
#
# **How to work in this notebook**
#
# * Functions and variables are found by exactly the names given here. You may add cells, names and
#   functions of your own.
# * Your functions are tested with other tables that have the same columns. Rows may be in any order,
#   and the rows' own labels (the index) may be anything.
# * Unless an exercise says otherwise, the order of columns, the labels of rows and whether numbers
#   are whole or floats do not matter.
# * A function must not change its arguments: work on a copy.
# * Every function is tested by itself: no exercise needs an earlier one.

# %% locked=true
# Given: run this cell first.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

orders = pd.DataFrame(
    {
        "order": [1, 2, 3, 4, 5, 6, 7, 8],
        "product": ["tea", "salt", "tea", "rice", "figs", "salt", "rice", "tea"],
        "city": ["Oslo", "Rome", "Rome", "Oslo", "Bern", "Oslo", "Rome", "Oslo"],
        "quantity": [2, 1, 5, 3, 4, 2, 1, 1],
        "date": pd.to_datetime(
            [
                "2024-01-05",
                "2024-01-20",
                "2024-02-02",
                "2024-02-11",
                "2024-02-28",
                "2024-04-01",
                "2024-04-15",
                "2024-04-30",
            ]
        ),
    }
)
products = pd.DataFrame(
    {
        "product": ["rice", "salt", "tea", "plums", "nuts"],
        "category": ["dry", "dry", "drinks", "fruit", "dry"],
        "price": [2.5, 0.5, 4.0, np.nan, 1.5],
    }
)


def wait_for(action):
    """Run `action`; if something is not written yet, print what is missing instead of stopping."""
    try:
        action()
    except Exception as reason:
        print("Not ready yet:", type(reason).__name__, reason)


# %% [markdown]
# ## Exercise 1: A price for each order
#
# Write `add_prices(orders, products)`. It returns the orders, **all of them and in their order**, with
# one more column, `price`: the price of the product. A product that is not in `products` has a
# missing price. Products that nobody ordered do not appear, and no other column is added.

# %% exercise="add_prices"
def add_prices(orders, products):
    """The orders with the price of their product."""
    # BEGIN SOLUTION
    return orders.merge(products[["product", "price"]], on="product", how="left")
    # END SOLUTION


# %% locked=true
# Given: expect 8 orders, and no price for figs.
wait_for(lambda: print(add_prices(orders, products)))

# %% [markdown]
# ## Exercise 2: Revenue by city
#
# Write `revenue(priced)`. `priced` has the columns `city`, `quantity` and `price`, one row for each
# order. The result is a Series: for each city the sum of quantity times price, labelled by the city,
# in alphabetical order. An order without a price adds nothing, but its city appears: a city whose
# orders all lack a price has the revenue 0.

# %% exercise="revenue"
def revenue(priced):
    """The revenue of each city, as a Series labelled by city."""
    # BEGIN SOLUTION
    amounts = priced["quantity"] * priced["price"]
    return amounts.groupby(priced["city"]).sum()
    # END SOLUTION


# %% [markdown]
# ## Exercise 3: Missing prices
#
# Write `fill_prices(products)`. It returns the table, all rows in their order, in which every missing
# price is replaced by the **median** of the known prices of its `category`. If no price of a category
# is known, its prices stay missing.

# %% exercise="fill_prices"
def fill_prices(products):
    """The products with missing prices filled in by category."""
    # BEGIN SOLUTION
    medians = products.groupby("category")["price"].transform("median")
    return products.assign(price=products["price"].fillna(medians))
    # END SOLUTION


# %% [markdown]
# ## Exercise 4: Why the median?
#
# Prices are filled in with the median of their category and not with the mean. What speaks for the
# median, and when would the mean do as well? Two sentences are enough; a small example helps.

# %% [markdown] exercise="why_the_median"
# <!-- BEGIN SOLUTION -->
# A single expensive product moves the mean far, and the median hardly: the prices 1, 2 and 30 have
# the mean 11 and the median 2. Where prices lie evenly around their middle, both are about the same.
# <!-- END SOLUTION -->

# %% [markdown]
# ## Exercise 5: Orders per month
#
# Write `monthly(orders)`. It returns a table with two columns: `month`, a text such as `"2024-01"`,
# and `orders`, how many orders were placed in that month. There is one row for each month from the
# first to the last one with an order, in the order of time, **also for months without orders**,
# which have 0. Months of different years are different months. `orders` has at least one row.

# %% exercise="monthly"
def monthly(orders):
    """How many orders were placed in each month."""
    # BEGIN SOLUTION
    months = orders["date"].dt.to_period("M")
    every = pd.period_range(months.min(), months.max(), freq="M")
    counts = months.value_counts().reindex(every, fill_value=0)
    return pd.DataFrame({"month": counts.index.astype(str), "orders": counts.to_numpy()})
    # END SOLUTION


# %% locked=true
# Given: expect 2, 3, 0 and 3 orders.
wait_for(lambda: print(monthly(orders)))

# %% [markdown]
# ## Exercise 6: The best products
#
# Write `best_products(orders, k)`. It returns a list of the names of the `k` products of which most
# pieces were ordered (the sum of `quantity`), the best first. Of products with equally many pieces,
# the one that comes first in the alphabet is first. If there are fewer than `k` products, the list
# has all of them.

# %% exercise="best_products"
def best_products(orders, k):
    """The names of the k products of which most pieces were ordered."""
    # BEGIN SOLUTION
    pieces = orders.groupby("product", as_index=False)["quantity"].sum()
    best = pieces.sort_values(["quantity", "product"], ascending=[False, True])
    return best["product"].head(k).tolist()
    # END SOLUTION


# %% [markdown]
# ## Exercise 7: A picture of the orders
#
# Set `pieces` to an array: how many pieces of each product went to each city, from the table `orders`
# at the top. Its rows are the cities `["Bern", "Oslo", "Rome"]`, its columns the products
# `["figs", "rice", "salt", "tea"]`; where nothing was ordered, it has 0. Then show `pieces` as an
# image, with a colour bar. Label the axis along which the cities run `city`, and the other one
# `product`.

# %% exercise="picture"
# BEGIN SOLUTION
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="sum")
pieces = wide.fillna(0).to_numpy()
figure, axes = plt.subplots()
image = axes.imshow(pieces)
axes.set_xlabel("product")
axes.set_ylabel("city")
figure.colorbar(image)
plt.show()
# END SOLUTION
