# fill_prices: 0
# You fill in 0. Take the median of the category.
def fill_prices(products):
    return products.fillna({"price": 0})
