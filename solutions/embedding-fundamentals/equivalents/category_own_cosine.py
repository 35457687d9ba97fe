# category_similarity: by the function of exercise 3
# Arrays of two numbers, none of length 1.
vectors_by_hand = {
    **{name: np.array([2.0 + place, 0.5]) for place, name in enumerate(("ant", "bee", "cat", "dog", "elk"))},
    **{name: np.array([0.2, 3.0 + place]) for place, name in enumerate(("bus", "car", "jet", "ship", "van"))},
}
category_words = list(vectors_by_hand)


def category_similarity(word_a, word_b):
    return cosine_similarity(vectors_by_hand[word_a], vectors_by_hand[word_b])
