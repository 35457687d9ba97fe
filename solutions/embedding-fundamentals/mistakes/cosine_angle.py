# cosine_similarity: the angle in place of its cosine
# You returned the angle. Leave the arc cosine out: same direction is 1, a right angle 0.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(np.arccos(np.clip(a @ b / lengths, -1, 1))) if lengths else 0.0
