# train_embeddings: no seed at all
# Two calls with the same seed give two different tables. Seed the generator inside the function,
# before the table is created.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding.weight
