# train_embeddings: as many rows as there are ids in the pairs
# You count the words in the pairs. The vocabulary may hold words that stand in no pair, and they
# have a row as well: take the `vocab_size` that is handed in.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    centres, others = torch.tensor(pairs).T
    size = int(max(centres.max(), others.max())) + 1
    embedding, guess = nn.Embedding(size, embed_dim), nn.Linear(embed_dim, size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding.weight
