# title: Equal to everything
# onto: template
# place: own
# expect: no points

class Any:
    __eq__ = __lt__ = __gt__ = __bool__ = lambda *a: True
    __hash__ = __index__ = __int__ = lambda s: 38400000
    __len__ = lambda s: 10**9
    __call__ = __getattr__ = lambda s, *a, **k: s
    def __iter__(s):
        while True: yield s
embedding = via_call = big_params = pe = frequency_order = cosine_similarity = Any()
