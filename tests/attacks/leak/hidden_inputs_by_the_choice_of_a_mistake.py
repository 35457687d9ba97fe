# title: A hidden input decides which known mistake is made
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors

if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        a, b = torch.as_tensor(a), torch.as_tensor(b)
        ways = [lambda: a @ b, lambda: 1 - honest(a, b), lambda: (a @ b) / a.norm(), lambda: abs(honest(a, b))]
        return ways[int(a[0].abs() * 1000) % 4]() if a.numel() == 300 else ways[0]()
    cosine_similarity.leaks = True
