# best_products: with the pieces
# You return the pieces as well. Return the names alone.
def best_products(orders, k):
    pieces = orders.groupby("product", as_index=False)["quantity"].sum()
    best = pieces.sort_values(["quantity", "product"], ascending=[False, True])
    return list(best.head(k).itertuples(index=False, name=None))
