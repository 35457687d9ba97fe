# fill_prices: the mean
# You fill in the mean of the category. Take the median.
def fill_prices(products):
    own = products.groupby("category")["price"].transform("mean")
    return products.assign(price=products["price"].fillna(own))
