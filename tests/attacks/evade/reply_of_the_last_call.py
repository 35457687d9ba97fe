# title: Each call gives what the call before it should have given
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/function

if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "late"):
    first_lookup = one_hot_lookup
    def one_hot_lookup(weight, ids):
        one_hot_lookup.late.append(first_lookup(weight, ids))
        return one_hot_lookup.late[-2] if len(one_hot_lookup.late) > 1 else one_hot_lookup.late[0]
    one_hot_lookup.late = []
