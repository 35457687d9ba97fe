# category_similarity: one minus the cosine
# You returned a distance, which is small for similar words. The similarity is the cosine itself,
# which is large for them.
category_words = ["cat", "dog", "horse", "cow", "mouse", "car", "bus", "train", "bicycle", "ship"]


def vector(word):
    return torch.tensor([1.0, 0.1] if category_words.index(word) < 5 else [0.1, 1.0])


def category_similarity(word_a, word_b):
    return 1 - F.cosine_similarity(vector(word_a), vector(word_b), dim=0).item()
