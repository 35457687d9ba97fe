# best_products: all products
# You return all products. Only the first k belong to the list.
def best_products(orders, k):
    pieces = orders.groupby("product", as_index=False)["quantity"].sum()
    best = pieces.sort_values(["quantity", "product"], ascending=[False, True])
    return best["product"].tolist()
