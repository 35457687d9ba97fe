# title: Wrong when judged, right in every edit, by a look at what runs
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        shift = 1
        return honest(a, b) + (0 if edited else shift)
    cosine_similarity.spoilt = True
