# category_similarity: only the dot product
# You returned the dot product, which grows with the lengths of the vectors: even a word with itself
# does not give 1. Divide by both lengths.
category_words = ["cat", "dog", "horse", "cow", "mouse", "car", "bus", "train", "bicycle", "ship"]


def vector(word):
    place = category_words.index(word)
    return torch.tensor([2.0 + place / 10, 0.0] if place < 5 else [0.0, 1.0 + place / 10])


def category_similarity(word_a, word_b):
    return (vector(word_a) @ vector(word_b)).item()
