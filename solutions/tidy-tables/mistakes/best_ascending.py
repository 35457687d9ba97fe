# best_products: the worst first
# You return the products of which fewest pieces were ordered. Sort downwards.
def best_products(orders, k):
    pieces = orders.groupby("product", as_index=False)["quantity"].sum()
    best = pieces.sort_values(["quantity", "product"])
    return best["product"].head(k).tolist()
