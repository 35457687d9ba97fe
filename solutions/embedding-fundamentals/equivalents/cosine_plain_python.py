# cosine_similarity: plain Python
# Sums over pairs of numbers, math.sqrt and math.hypot.
def cosine_similarity(a, b):
    a, b = [float(x) for x in a], [float(x) for x in b]
    dot = sum(x * y for x, y in zip(a, b))
    below = math.sqrt(sum(x * x for x in a)) * math.hypot(*b)
    return dot / below if below != 0 else 0.0
