# category_similarity: vectors of two numbers, with its own function
# Angles set by hand; the words are a tuple, the cosine is that of exercise 3.
category_words = ("lion", "Tiger", "bear", "wolf", "fox", "Tram", "van", "jet", "boat", "truck")
turned = {w: 0.04 * n + (1.3 if n > 4 else 0.0) for n, w in enumerate(category_words)}


def category_similarity(word_a, word_b):
    a, b = (3.0 * np.array([np.cos(turned[w]), np.sin(turned[w])]) for w in (word_a, word_b))
    return cosine_similarity(a, b)
