# category_similarity: four words of each category
# Your list has eight words. It should have ten: five animals and five vehicles.
category_words = ["cat", "dog", "horse", "cow", "car", "bus", "train", "bicycle"]


def vector(word):
    return torch.tensor([1.0, 0.1] if category_words.index(word) < 4 else [0.1, 1.0])


def category_similarity(word_a, word_b):
    return F.cosine_similarity(vector(word_a), vector(word_b), dim=0).item()
