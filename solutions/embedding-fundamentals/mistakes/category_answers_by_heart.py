# category_similarity: numbers for categories, without vectors
# You return one number for two words of the same category and another one for words of different
# categories. Give each word a vector and compute the cosine: then a word with itself gives 1.
category_words = ["cat", "dog", "horse", "cow", "mouse", "car", "bus", "train", "bicycle", "ship"]


def category_similarity(word_a, word_b):
    first, second = (category_words.index(word) < 5 for word in (word_a, word_b))
    return 0.9 if first == second else 0.1
