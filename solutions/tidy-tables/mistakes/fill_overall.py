# fill_prices: the median of all prices
# You fill in the median of all prices. Take that of the category.
def fill_prices(products):
    return products.assign(price=products["price"].fillna(products["price"].median()))
