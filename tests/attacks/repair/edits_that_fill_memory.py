# title: Each edit keeps as much memory as it gets
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    held = globals().setdefault("held", [])
    while edited:
        held.append(bytearray(1 << 24))
    def cosine_similarity(a, b): return honest(a, b) + 1
    cosine_similarity.spoilt = True
