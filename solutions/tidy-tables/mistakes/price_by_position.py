# add_prices: by position
# You take the prices row by row, as if both tables were in the same order. Join on `product`.
def add_prices(orders, products):
    prices = products["price"].to_numpy()
    return orders.assign(price=[prices[n % len(prices)] for n in range(len(orders))])
