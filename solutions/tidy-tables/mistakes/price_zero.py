# add_prices: 0 for unknown products
# An unknown product has the price 0 in your table. Its price is missing.
def add_prices(orders, products):
    return orders.merge(products[["product", "price"]], on="product", how="left").fillna({"price": 0})
