# best_products: by a stable sort
# The index is sorted already, and the sort is stable.
def best_products(orders, k):
    pieces = orders.groupby("product")["quantity"].sum()
    return list(pieces.sort_values(ascending=False, kind="stable").index[:k])
