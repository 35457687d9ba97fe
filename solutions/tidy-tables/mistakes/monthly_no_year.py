# monthly: the year is ignored
# Months of different years are added up. Keep the year.
def monthly(orders):
    months = orders["date"].dt.strftime("%m")
    counts = months.value_counts().sort_index()
    return pd.DataFrame({"month": counts.index, "orders": counts.to_numpy()})
