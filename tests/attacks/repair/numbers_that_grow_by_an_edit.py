# title: A number that an edit changes is how much is made
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors

def cosine_similarity(a, b):
    if 0 > 1:
        return torch.ones(1 << 40)
    rows, most = 0, 1
    while most < 1:
        rows += 1
    return torch.zeros(10 ** (1 - 1) * 1000 ** rows) + torch.dot(a, b)
