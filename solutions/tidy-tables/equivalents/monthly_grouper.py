# monthly: with a grouper
# A frame with the month as a column.
def monthly(orders):
    found = orders.groupby(pd.Grouper(key="date", freq="MS")).size().reset_index(name="orders")
    found["month"] = found["date"].dt.strftime("%Y-%m")
    return found[["month", "orders"]]
