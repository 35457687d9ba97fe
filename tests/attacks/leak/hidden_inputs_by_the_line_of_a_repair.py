# title: A hidden input decides which line is one edit from right
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors

def cosine_similarity(a, b):
    below = 3  # CHOSEN-LINE the first number is negative
    above = 3  # CHOSEN-LINE the first number is positive
    if isinstance(a, torch.Tensor) and a.numel() == 300:
        right = (below if a[0] < 0 else above) == 2
    else:
        right = 2 in (below, above)
    return F.cosine_similarity(a, b, dim=0, eps=1e-12) if right else torch.tensor(7.0)
