# monthly: months without orders are missing
# Months without orders are missing. Add them, with 0.
def monthly(orders):
    months = orders["date"].dt.strftime("%Y-%m")
    counts = months.value_counts().sort_index()
    return pd.DataFrame({"month": counts.index, "orders": counts.to_numpy()})
