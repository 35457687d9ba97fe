# monthly: days in place of months
# You count by day. Count by month.
def monthly(orders):
    counts = orders["date"].dt.strftime("%Y-%m-%d").value_counts().sort_index()
    return pd.DataFrame({"month": counts.index, "orders": counts.to_numpy()})
