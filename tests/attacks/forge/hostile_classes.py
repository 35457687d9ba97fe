# title: Hostile classes
# onto: template
# place: own
# expect: no points

class M_(type):
    def __getattribute__(c, n): raise KeyboardInterrupt
class X(metaclass=M_):
    __class__ = torch.Tensor
    def __repr__(self):
        while True: pass
big_params = X()
class E(Exception):
    def __str__(self):
        while True: pass
def one_hot_lookup(w, i): raise E()
