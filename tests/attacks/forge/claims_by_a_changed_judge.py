# title: The simulation's own judge of exceptions is replaced
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/devices, cosine_similarity/devices

from autograder.runner import torch_toolkit
from autograder.runner.simulated_device import unsupported
unsupported.not_simulated = torch_toolkit.not_simulated = lambda error: "scatter_add"
def claiming(function):
    def answer(*args, **keys):
        if any(getattr(one, "is_cuda", False) for one in args):
            raise ValueError
        return function(*args, **keys)
    return answer
for name in ("one_hot_lookup", "cosine_similarity"):
    if name in globals():
        globals()[name] = claiming(globals()[name])
