# title: Right only in calls like the small ones that feedback shows
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions, one_hot_equivalence/function

def plain(values): return bool((2 * values == (2 * values).round()).all())
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "heart"):
    honest = cosine_similarity
    def cosine_similarity(a, b): return honest(a, b) if plain(a) and plain(b) else 0.25
    cosine_similarity.heart = True
if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "heart"):
    first = one_hot_lookup
    def one_hot_lookup(weight, token_ids): return first(weight, token_ids) if plain(weight) else weight * 0
    one_hot_lookup.heart = True
