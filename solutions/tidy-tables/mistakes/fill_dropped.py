# fill_prices: rows are dropped
# Products without a price are missing. Keep all rows.
def fill_prices(products):
    return products.dropna(subset=["price"])
