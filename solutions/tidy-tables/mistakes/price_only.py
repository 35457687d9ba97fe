# add_prices: only the prices
# You return the prices alone. Return the whole table.
def add_prices(orders, products):
    return orders.merge(products[["product", "price"]], on="product", how="left")["price"]
