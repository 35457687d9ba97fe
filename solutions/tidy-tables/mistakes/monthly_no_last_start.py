# monthly: the last month begins too late for a range of days
# `date_range` with months takes only months whose first (or last) day is between both dates, so a month at
# the edge is lost. Take a range of months: `pd.period_range`.
def monthly(orders):
    months = orders["date"].dt.strftime("%Y-%m")
    every = pd.date_range(orders["date"].min(), orders["date"].max(), freq="MS").strftime("%Y-%m")
    counts = months.value_counts().reindex(every, fill_value=0)
    return pd.DataFrame({"month": counts.index.astype(str), "orders": counts.to_numpy()})
