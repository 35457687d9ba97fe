# title: The cell, edited, never ends
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    if edited:
        while True: pass
    def cosine_similarity(a, b): return honest(a, b) + 1
    cosine_similarity.spoilt = True
