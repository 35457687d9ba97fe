# title: Containers that make their content up when they are looked at
# onto: template
# place: own
# expect: no points

class Lazy(list):
    def __iter__(self): raise KeyboardInterrupt
    __len__ = lambda self: 10
    __getitem__ = lambda self, i: self
    __eq__ = lambda *a: True
class Table(dict):
    items = keys = values = lambda self: iter(lambda: ("a", 1), None)
one_hot, pe = Lazy([1] * 10), Table(a=1)
via_call = (x for x in iter(lambda: 1.0, None))
def cosine_similarity(a, b): return Lazy()
