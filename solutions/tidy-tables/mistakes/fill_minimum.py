# fill_prices: the smallest price
# You fill in the smallest price of the category. Take the median.
def fill_prices(products):
    own = products.groupby("category")["price"].transform("min")
    return products.assign(price=products["price"].fillna(own))
