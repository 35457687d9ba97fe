# title: Right values that no gradient can reach
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/gradient

if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "cut"):
    whole = one_hot_lookup
    def one_hot_lookup(weight, ids): return whole(weight, ids).detach().requires_grad_(True)
    one_hot_lookup.cut = True
