# fill_prices: known prices are replaced, too
# You replace known prices, too. Fill in only the missing ones.
def fill_prices(products):
    return products.assign(price=products.groupby("category")["price"].transform("median"))
