# revenue: with a pivot table
# Missing amounts are 0 first.
def revenue(priced):
    amounts = (priced["quantity"] * priced["price"]).fillna(0)
    table = pd.pivot_table(priced.assign(a=amounts), index="city", values="a", aggfunc="sum")
    return table["a"]
