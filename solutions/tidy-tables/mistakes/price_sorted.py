# add_prices: sorted by product
# Your rows are sorted by product. Keep the order of the orders.
def add_prices(orders, products):
    return orders.merge(products[["product", "price"]], on="product", how="left").sort_values("product")
