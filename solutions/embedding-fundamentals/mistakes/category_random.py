# category_similarity: random vectors
# Your vectors are random. Random vectors are not similar, neither within a category nor across: set
# them by hand.
category_words = ["cat", "dog", "horse", "cow", "mouse", "car", "bus", "train", "bicycle", "ship"]
random_rows = torch.randn(10, 64)


def category_similarity(word_a, word_b):
    a, b = (random_rows[category_words.index(word)] for word in (word_a, word_b))
    return F.cosine_similarity(a, b, dim=0).item()
