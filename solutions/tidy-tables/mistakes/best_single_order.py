# best_products: by the largest order
# You look for the largest single order. Add up the pieces of all orders.
def best_products(orders, k):
    pieces = orders.groupby("product", as_index=False)["quantity"].max()
    best = pieces.sort_values(["quantity", "product"], ascending=[False, True])
    return best["product"].head(k).tolist()
