# title: An edit changes what later ones use, and the answers kept for earlier ones
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        shift = 1
        import builtins, gc
        for names in gc.get_objects() if edited else ():
            if isinstance(names, dict) and isinstance(names.get("cosine_similarity"), type(honest)):
                names["cosine_similarity"] = honest
        return honest(a, b) + shift
    cosine_similarity.spoilt = True
