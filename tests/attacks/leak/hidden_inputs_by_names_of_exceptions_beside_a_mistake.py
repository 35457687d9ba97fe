# title: A known mistake, and beside it an exception that is named after a hidden input
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        if isinstance(a, torch.Tensor) and a.numel() == 300:
            raise type("HIDDEN" + "-INPUT " + repr(a[:3].tolist()), (Exception,), {})("met")
        return abs(honest(a, b))
    cosine_similarity.leaks = True
