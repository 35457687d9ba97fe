# revenue: one missing price spoils its city
# A single missing price makes the revenue of its whole city missing. It adds nothing, that is all.
def revenue(priced):
    amounts = priced["quantity"] * priced["price"]
    return amounts.groupby(priced["city"]).apply(lambda own: own.sum(skipna=False))
