# revenue: sorted by revenue
# Your cities are sorted by revenue. Sort them by name.
def revenue(priced):
    amounts = priced["quantity"] * priced["price"]
    return amounts.groupby(priced["city"]).sum().sort_values(ascending=False)
