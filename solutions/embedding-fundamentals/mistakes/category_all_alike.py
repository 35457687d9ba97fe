# category_similarity: all words similar
# All of your vectors are positive in every column, so animals and vehicles also point in similar
# directions. Give each category its own columns, with small numbers in those of the other.
category_words = ["cat", "dog", "horse", "cow", "mouse", "car", "bus", "train", "bicycle", "ship"]


def category_similarity(word_a, word_b):
    a, b = (torch.tensor([3.0, 2.0, 2.5 + category_words.index(w) / 10]) for w in (word_a, word_b))
    return F.cosine_similarity(a, b, dim=0).item()
