# category_similarity: animals and vehicles alternate
# Your list mixes the two categories. The first five words are the animals, the last five the
# vehicles.
category_words = ["cat", "car", "dog", "bus", "horse", "train", "cow", "bicycle", "mouse", "ship"]


def vector(word):
    place = category_words.index(word)
    return torch.tensor([1.0, 0.1] if place % 2 == 0 else [0.1, 1.0])


def category_similarity(word_a, word_b):
    return F.cosine_similarity(vector(word_a), vector(word_b), dim=0).item()
