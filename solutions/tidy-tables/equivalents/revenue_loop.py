# revenue: in a loop
# A dictionary, made into a Series.
def revenue(priced):
    found = {}
    for city, quantity, price in zip(priced["city"], priced["quantity"], priced["price"]):
        found[city] = found.get(city, 0.0) + (quantity * price if price == price else 0)
    return pd.Series(dict(sorted(found.items())))
