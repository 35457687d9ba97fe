# add_prices: with other dtypes
# The dtypes that pandas calls nullable.
def add_prices(orders, products):
    found = orders.merge(products[["product", "price"]], on="product", how="left")
    return found.convert_dtypes()
