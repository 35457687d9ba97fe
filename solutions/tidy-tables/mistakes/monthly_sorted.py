# monthly: sorted by the number of orders
# Your months are sorted by the number of orders. Sort them by time.
def monthly(orders):
    months = orders["date"].dt.to_period("M")
    every = pd.period_range(months.min(), months.max(), freq="M")
    counts = months.value_counts().reindex(every, fill_value=0).sort_values(ascending=False)
    return pd.DataFrame({"month": counts.index.astype(str), "orders": counts.to_numpy()})
