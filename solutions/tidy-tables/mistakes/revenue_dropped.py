# revenue: cities without a price are dropped
# A city whose orders all lack a price is missing. It has the revenue 0.
def revenue(priced):
    known = priced.dropna()
    return (known["quantity"] * known["price"]).groupby(known["city"]).sum()
