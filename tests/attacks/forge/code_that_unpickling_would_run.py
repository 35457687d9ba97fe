# title: Values that run code in whoever unpickles, copies or evaluates them
# onto: template
# place: own
# expect: no points

import os
class Bomb:
    def __reduce__(self): return (os.system, ("touch {marker}",))
    def __repr__(self): return "__import__('os').system('touch {marker}')"
    __deepcopy__ = __copy__ = lambda *a: open("{marker}", "w")
embedding = big_params = pe = Bomb()
one_hot = np.array([Bomb()] * 10, dtype=object)
frequency_order = "__import__('os').system('touch {marker}')"
dna_transfer = "!!python/object/apply:os.system ['touch {marker}']"
def cosine_similarity(a, b): return Bomb()
