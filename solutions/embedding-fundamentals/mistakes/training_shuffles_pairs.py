# train_embeddings: the list of pairs is shuffled in place
# You shuffle the list that was passed, so the caller finds it in a different order. Shuffle a copy:
# `list(pairs)`.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    import random

    torch.manual_seed(seed)
    random.Random(seed).shuffle(pairs)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding.weight
