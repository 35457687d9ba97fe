# revenue: without the quantity
# You add up the prices. Multiply each by the quantity first.
def revenue(priced):
    return priced.groupby("city")["price"].sum()
