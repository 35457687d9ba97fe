# monthly: every month of the years
# Your table begins in January and ends in December. It goes from the first to the last month with an order.
def monthly(orders):
    months = orders["date"].dt.to_period("M")
    first, last = months.min().year, months.max().year
    every = pd.period_range(f"{first}-01", f"{last}-12", freq="M")
    counts = months.value_counts().reindex(every, fill_value=0)
    return pd.DataFrame({"month": counts.index.astype(str), "orders": counts.to_numpy()})
