# revenue: sums before the product
# You multiply the sum of the quantities by the sum of the prices. Multiply order by order, then add up.
def revenue(priced):
    sums = priced.groupby("city")[["quantity", "price"]].sum()
    return sums["quantity"] * sums["price"]
