# monthly: pieces in place of orders
# You add up the quantities. Count the orders.
def monthly(orders):
    months = orders["date"].dt.to_period("M")
    every = pd.period_range(months.min(), months.max(), freq="M")
    counts = orders.groupby(months)["quantity"].sum().reindex(every, fill_value=0)
    return pd.DataFrame({"month": counts.index.astype(str), "orders": counts.to_numpy()})
