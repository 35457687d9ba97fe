# best_products: ties backwards
# Products with equally many pieces are in reverse order of the alphabet.
def best_products(orders, k):
    pieces = orders.groupby("product", as_index=False)["quantity"].sum()
    best = pieces.sort_values(["quantity", "product"], ascending=False)
    return best["product"].head(k).tolist()
