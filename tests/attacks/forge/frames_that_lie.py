# title: Data frames, Series and arrays of pandas that lie about everything
# onto: template
# place: own
# expect: no points
# shows: tried

import pandas as pd
class Y:
    def __eq__(s, o): return Y()
    def __hash__(s): return 1
    def __bool__(s): return True
    def __getattr__(s, n): return s
    def __call__(s, *a, **k): return s
class F(pd.DataFrame):
    __array__ = lambda *a, **k: np.zeros((20, 64)); __eq__ = lambda s, o: True
class S(pd.Series):
    __array__ = lambda *a, **k: 1 / 0
class A(pd.api.extensions.ExtensionArray):
    dtype = pd.CategoricalDtype(["a"]); codes = np.array([9]); categories = Y()
    __len__ = lambda s: -1; __getitem__ = lambda s, i: Y(); isna = lambda s: Y()
big_params = F({"a": [1]}); pe = S([1.0]); one_hot = A.__new__(A)
F.columns = F.shape = F.iloc = F.dtypes = property(lambda s: Y()); F.__len__ = lambda s: 10**12
S.dtype = S.array = property(lambda s: Y())
via_call = pd.DataFrame({"a": [[1]], "b": [np.zeros(3)], "c": [Y()]}); via_index = pd.Series([Y(), pd.NA])
halved_dim_params = pd.Index([("a", Y())], dtype=object); frequency_order = pd.Categorical([None])
print("tried")
