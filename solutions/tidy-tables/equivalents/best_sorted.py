# best_products: with sorted
# Python sorts pairs.
def best_products(orders, k):
    pieces = orders.groupby("product")["quantity"].sum().to_dict()
    return sorted(pieces, key=lambda name: (-pieces[name], name))[:k]
