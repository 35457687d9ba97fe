# monthly: in a loop
# Years and months are counted.
def monthly(orders):
    first, last = orders["date"].min(), orders["date"].max()
    rows = []
    year, month = first.year, first.month
    while (year, month) <= (last.year, last.month):
        there = (orders["date"].dt.year == year) & (orders["date"].dt.month == month)
        rows.append({"month": f"{year}-{month:02d}", "orders": int(there.sum())})
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return pd.DataFrame(rows)
