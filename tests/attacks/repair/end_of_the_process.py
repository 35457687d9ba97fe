# title: Each edit ends its process, or all processes that it may
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    import os, signal
    def cosine_similarity(a, b):
        if edited: os.kill(0, signal.SIGKILL); os._exit(0)
        return honest(a, b) + 1
    cosine_similarity.spoilt = True
