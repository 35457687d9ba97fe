# train_embeddings: the optimiser takes no step
# Your table never changes: the gradients are computed, but no step is taken. Call the optimiser's
# step in every epoch.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        F.cross_entropy(guess(embedding(centres)), others).backward()
    return embedding.weight
