# title: Numbers and texts that are equal to whatever they are compared with
# onto: template
# place: own
# expect: no points

def always(*arguments): return True
class Number(int):
    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = always
    __hash__ = int.__hash__
    __sub__ = __rsub__ = __abs__ = lambda *a: 0
    __int__ = __index__ = lambda self: 38400000
class Real(float):
    __eq__ = __le__ = __ge__ = always
    __hash__ = float.__hash__
    __float__ = lambda self: 1.0
class Text(str):
    __eq__ = __contains__ = always
    __hash__ = str.__hash__
    lower = strip = __str__ = lambda self: "first columns"
big_params = doubled_vocab_params = halved_dim_params = Number(7)
frequency_order = Text("neither")
def cosine_similarity(a, b): return Real(float("nan"))
