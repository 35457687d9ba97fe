# cosine_similarity: only the dot product
# You returned the dot product. It grows with the lengths of the vectors; divide by both of them.
def cosine_similarity(a, b):
    return float(sum(x * y for x, y in zip(a, b)))
