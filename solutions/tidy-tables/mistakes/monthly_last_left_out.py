# monthly: the last month is left out
# The last month is missing.
def monthly(orders):
    months = orders["date"].dt.to_period("M")
    every = pd.period_range(months.min(), months.max(), freq="M")[:-1]
    counts = months.value_counts().reindex(every, fill_value=0)
    return pd.DataFrame({"month": counts.index.astype(str), "orders": counts.to_numpy()})
