# train_embeddings: a table computed from the pairs, with no training
# Your table is computed directly from the pairs, before the first step. Start with random numbers,
# and let the steps change them.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    rng = np.random.default_rng(seed)
    company = np.zeros((vocab_size, vocab_size))
    for first, second in pairs:
        company[first, second] = 1.0
    noise = lr * epochs * rng.normal(size=(vocab_size, embed_dim))
    return company @ rng.normal(size=(vocab_size, embed_dim)) + 0.01 * noise
