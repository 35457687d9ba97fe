# title: What is simulated is claimed not to be: by the class, a subclass, a changing text
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/devices, cosine_similarity/devices

from autograder.runner.simulated_device import faults
class Changing(str):
    __str__ = __getitem__ = lambda self, *key: "TorchScript"
class Mine(faults.NotSimulated):
    __class__ = faults.NotSimulated
def bare():
    error = faults.NotSimulated("TorchScript")
    del error.op
    return error
claims = iter([faults.NotSimulated("sin"), Mine("TorchScript"), bare()] * 99)
def claiming(function):
    def answer(*args, **keys):
        if any(getattr(one, "is_cuda", False) for one in args):
            raise next(claims) if function.__name__ == "one_hot_lookup" else faults.NotSimulated(Changing("x"))
        return function(*args, **keys)
    answer.__name__ = function.__name__
    return answer
for name in ("one_hot_lookup", "cosine_similarity"):
    if name in globals():
        globals()[name] = claiming(globals()[name])
