# revenue: with a new column
# A column of amounts, and a frame that loses its axis.
def revenue(priced):
    found = priced.assign(amount=priced["quantity"] * priced["price"])
    return found.groupby("city").agg({"amount": "sum"})["amount"]
