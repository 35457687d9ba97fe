# add_prices: with the category
# Your table has the category, too. Only the price is added.
def add_prices(orders, products):
    return orders.merge(products, on="product", how="left")
