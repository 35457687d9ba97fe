# revenue: the mean
# This is the mean of each city. Revenue is the sum.
def revenue(priced):
    amounts = priced["quantity"] * priced["price"]
    return amounts.groupby(priced["city"]).mean()
