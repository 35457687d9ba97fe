# title: Categories, texts and columns without end
# onto: template
# place: own
# expect: no points
# shows: tried

import pandas as pd
big_params = pd.Series(pd.Categorical.from_codes(np.zeros(1, "int32"), pd.Index(np.arange(9_000_000))))
via_call = pd.DataFrame([range(150_000)])
via_index = pd.Series(["x" * 90_000 + str(n) for n in range(2_000)])
pe = pd.DataFrame({n: ["y" * 200] * 300_000 for n in range(4)})
one_hot = pd.Series(pd.date_range("1900", periods=3_000_000, freq="h"))
print("tried")
