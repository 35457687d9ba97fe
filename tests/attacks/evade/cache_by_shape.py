# title: An answer is kept and given again for arguments of the same shape
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/function, cosine_similarity/vectors

if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "kept"):
    first_lookup = one_hot_lookup
    def one_hot_lookup(weight, ids):
        key = (weight.shape, ids.shape)
        if key not in one_hot_lookup.kept: one_hot_lookup.kept[key] = first_lookup(weight, ids)
        return one_hot_lookup.kept[key]
    one_hot_lookup.kept = {}
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "kept"):
    first_cosine = cosine_similarity
    def cosine_similarity(a, b):
        return cosine_similarity.kept.setdefault(a.shape, first_cosine(a, b))
    cosine_similarity.kept = {}
