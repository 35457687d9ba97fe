# train_embeddings: NumPy, pair by pair
# Gradients by hand, two tables, steps after every pair; an array is returned.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    rng = np.random.default_rng(seed)
    words = rng.normal(0, 0.1, (vocab_size, embed_dim))
    contexts = rng.normal(0, 0.1, (vocab_size, embed_dim))
    for _ in range(epochs):
        for first, second in pairs:
            scores = contexts @ words[first]
            share = np.exp(scores - scores.max())
            share /= share.sum()
            share[second] -= 1
            step = share @ contexts
            contexts -= lr * np.outer(share, words[first])
            words[first] -= lr * step
    return words
