# fill_prices: changes its argument
# Your prices are right, but you change the table that you were given. Work on a copy.
def fill_prices(products):
    own = products.groupby("category")["price"].transform("median")
    products["price"] = products["price"].fillna(own)
    return products
