# monthly: missing in place of 0
# Months without orders have a missing number. It is 0.
def monthly(orders):
    months = orders["date"].dt.to_period("M")
    every = pd.period_range(months.min(), months.max(), freq="M")
    counts = months.value_counts().reindex(every)
    return pd.DataFrame({"month": counts.index.astype(str), "orders": counts.to_numpy()})
