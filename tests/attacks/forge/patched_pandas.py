# title: pandas is patched: accessors, conversions, comparisons, categories
# onto: template
# place: first
# expect: no points
# shows: tried

import pandas as pd, pandas.testing, scipy.sparse as sp, sys
yes = lambda *a, **k: True
pandas.testing.assert_frame_equal = pd.DataFrame.equals = pd.Series.equals = pd.DataFrame.__eq__ = yes
pd.DataFrame.__array__ = pd.Series.__array__ = lambda *a, **k: np.zeros((20, 64))
pd.Series.array = property(lambda s: np.full(7, np.nan)); pd.Categorical.codes = property(lambda s: [10**9])
pd.Series.to_numpy = pd.Index.to_numpy = lambda *a, **k: "x" * 10**6
pd.api.extensions.register_series_accessor("iloc")(lambda s: 1 / 0)
pd.RangeIndex.name = property(lambda s: object()); pd.NA = pd.NaT = None
sp.coo_matrix = lambda m: m; sys.modules["polars"] = pd
big_params = pd.DataFrame({"a": [40]}); via_call = pd.Series([1.5]); pe = pd.Series([1, 2], index=["a", "b"])
one_hot = sp.csr_matrix((3, 3)); via_index = pd.Timestamp(0)
print("tried")
