# cosine_similarity: number by number
# `.item()` takes each number out; plain Python does the rest.
def cosine_similarity(a, b):
    dot = sum(a[i].item() * b[i].item() for i in range(len(a)))
    below = math.sqrt(sum(x.item() ** 2 for x in a)) * math.sqrt(sum(y.item() ** 2 for y in b))
    return dot / below if below > 0 else 0.0
