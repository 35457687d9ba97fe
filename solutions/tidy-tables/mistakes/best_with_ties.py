# best_products: more than k where the last ones are equal
# Where the last one has equals, your list is longer than k.
def best_products(orders, k):
    pieces = orders.groupby("product")["quantity"].sum().sort_index()
    return pieces.nlargest(k, keep="all").index.tolist()
