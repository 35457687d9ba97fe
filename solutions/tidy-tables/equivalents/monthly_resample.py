# monthly: with resample
# Resampling by time has the empty months.
def monthly(orders):
    counts = orders.set_index("date").resample("MS").size()
    return pd.DataFrame({"orders": counts.to_numpy(), "month": counts.index.strftime("%Y-%m")})
