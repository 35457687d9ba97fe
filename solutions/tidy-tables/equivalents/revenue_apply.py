# revenue: group by group
# A function for each group.
def revenue(priced):
    return priced.groupby("city")[["quantity", "price"]].apply(
        lambda own: (own["quantity"] * own["price"]).sum()
    )
