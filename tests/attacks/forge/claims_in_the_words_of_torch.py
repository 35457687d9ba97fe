# title: A kernel is claimed to be lacking in torch's words, and in torch's classes
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/devices, cosine_similarity/devices

class Lacking(NotImplementedError):
    def __str__(self):
        return "\"cholesky_cpu\" not implemented for 'Half'"
def claiming(function, error):
    def answer(*args, **keys):
        if any(getattr(one, "is_cuda", False) for one in args):
            raise error
        return function(*args, **keys)
    return answer
text = "\"cholesky_cpu\" not implemented for 'Half'"
for name, error in (("one_hot_lookup", NotImplementedError(text)), ("cosine_similarity", Lacking())):
    if name in globals():
        globals()[name] = claiming(globals()[name], error)
