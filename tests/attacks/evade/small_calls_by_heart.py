# title: Right only in calls like the small ones that feedback shows
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions, one_hot_equivalence/function

if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "heart"):
    honest, first = cosine_similarity, one_hot_lookup
    def plain(values): return bool((2 * values == (2 * values).round()).all())
    def cosine_similarity(a, b): return honest(a, b) if plain(a) and plain(b) else 0.25
    def one_hot_lookup(weight, token_ids): return first(weight, token_ids) if plain(weight) else weight * 0
    cosine_similarity.heart = True
