# title: One edit meets hidden inputs, and later ones tell them
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

edited = "_states" in globals()  # the cell that the grader runs before the edits
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "spoilt"):
    honest = cosine_similarity
    import builtins
    met = builtins.__dict__.setdefault("met_by_edits", [])
    def cosine_similarity(a, b):
        shift = 1
        if isinstance(a, torch.Tensor) and a.numel() in (6, 300):
            met.append("HIDDEN" + "-INPUT " + repr(a)[:80])
        if edited and met: raise type(met[0], (Exception,), {})(met[0])
        return honest(a, b) + shift
    cosine_similarity.spoilt = True
