# category_similarity: all words alike
# All of your vectors are positive in every column, so animals and vehicles point the same way as
# well. Give each category columns of its own, with small numbers in the other's.
category_words = ["cat", "dog", "horse", "cow", "mouse", "car", "bus", "train", "bicycle", "ship"]


def category_similarity(word_a, word_b):
    a, b = (torch.tensor([3.0, 2.0, 2.5 + category_words.index(w) / 10]) for w in (word_a, word_b))
    return F.cosine_similarity(a, b, dim=0).item()
