# category_similarity: one-hot vectors
# Your words have one-hot vectors, so any two of them are at a right angle. Words of one category
# need vectors with almost the same direction.
category_words = ["cat", "dog", "horse", "cow", "mouse", "car", "bus", "train", "bicycle", "ship"]


def category_similarity(word_a, word_b):
    return float(category_words.index(word_a) == category_words.index(word_b))
