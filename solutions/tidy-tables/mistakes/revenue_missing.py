# revenue: a city without a price has no revenue
# A city whose orders all lack a price has a missing revenue. It is 0.
def revenue(priced):
    amounts = priced["quantity"] * priced["price"]
    return amounts.groupby(priced["city"]).sum(min_count=1)
