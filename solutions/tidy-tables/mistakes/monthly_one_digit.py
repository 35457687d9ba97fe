# monthly: months without a leading 0
# Your months are texts such as `"2024-1"`. Write two digits: `"2024-01"`.
def monthly(orders):
    months = orders["date"].dt.to_period("M")
    every = pd.period_range(months.min(), months.max(), freq="M")
    counts = months.value_counts().reindex(every, fill_value=0)
    names = [f"{month.year}-{month.month}" for month in counts.index]
    return pd.DataFrame({"month": names, "orders": counts.to_numpy()})
