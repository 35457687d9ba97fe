# add_prices: an outer join
# Products that nobody ordered appear as rows without an order. Use a left join.
def add_prices(orders, products):
    return orders.merge(products[["product", "price"]], on="product", how="outer")
