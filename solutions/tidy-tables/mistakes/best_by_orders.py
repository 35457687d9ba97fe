# best_products: by the number of orders
# You count orders. Add up the pieces.
def best_products(orders, k):
    counts = orders.groupby("product", as_index=False)["quantity"].count()
    best = counts.sort_values(["quantity", "product"], ascending=[False, True])
    return best["product"].head(k).tolist()
