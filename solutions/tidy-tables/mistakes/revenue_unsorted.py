# revenue: in the order of appearance
# Your cities are in the order in which they appear. Sort them by name.
def revenue(priced):
    amounts = priced["quantity"] * priced["price"]
    return amounts.groupby(priced["city"], sort=False).sum()
