# title: Terminal sequences and text that runs backwards, in all that is shown
# onto: template
# place: own
# expect: no points

E = "\x1b]0;title\x07\x1b[2J\x1b[31m\u202e\u2066gnp.exe\u2069\u200f\x9b1m\r\b\x00"
print(E); warn = __import__("warnings").warn; warn(E)
frequency_order = dna_transfer = E
class Named: pass
Named.__name__ = Named.__qualname__ = E
big_params = Named()
def one_hot_lookup(w, i): raise type(E, (Exception,), {})(E)
