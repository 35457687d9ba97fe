# title: Categories, texts and columns without end
# onto: template
# place: last
# expect: no points

import pandas as pd
big_params = pd.Series(pd.Categorical.from_codes(np.zeros(1, "int32"), pd.Index(np.arange(3_000_000))))
via_call = pd.DataFrame([range(150_000)])
via_index = pd.Series(["x" * 90_000 + str(n) for n in range(400)])
pe = pd.DataFrame({n: ["y" * 200] * 100_000 for n in range(4)})
one_hot = pd.Series(pd.date_range("1900", periods=1_000_000, freq="h"))
