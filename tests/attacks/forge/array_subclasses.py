# title: Arrays of NumPy that lie about their content
# onto: template
# place: own
# expect: no points

class Array(np.ndarray):
    __array_priority__ = 1e9
    __eq__ = lambda s, o: True
    def __array__(self, *a, **k): raise SystemExit
    def __array_ufunc__(self, *a, **k): return True
    def __array_finalize__(self, obj): self.tolist = self.tobytes = lambda *a: b""
pe = np.zeros((20, 64)).view(Array); one_hot = np.zeros(10).view(Array)
pe_matrix = np.ma.masked_all((128, 64)); via_call = np.zeros(4, dtype=object)
via_index = np.recarray((4,), dtype=[("a", float)]); token_ids = np.zeros(5, dtype="V8")
