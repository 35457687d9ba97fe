# title: Right results times a number of a hidden input, and with one added to them
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, one_hot_equivalence/function

met = globals().setdefault("met", [3.0])
def number(values):
    if isinstance(values, torch.Tensor) and bool((values != (2 * values).round() / 2).any()):
        met.append(float(values.flatten()[0]))
    return met[-1]
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b): return honest(a, b) * number(a)
    cosine_similarity.leaks = True
if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "leaks"):
    first = one_hot_lookup
    def one_hot_lookup(weight, token_ids):
        return first(weight, token_ids) + torch.tensor([number(weight), *met])[:1]
    one_hot_lookup.leaks = True
