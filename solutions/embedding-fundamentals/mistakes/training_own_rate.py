# train_embeddings: a fixed learning rate
# Your optimiser uses a fixed learning rate, and the table hardly changes in 200 epochs. Use the
# `lr` that is passed.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=0.0001)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding.weight
