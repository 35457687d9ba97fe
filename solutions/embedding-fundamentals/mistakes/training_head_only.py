# train_embeddings: only the scores are trained
# Your optimiser is given the numbers of the scores alone, so the table comes back as it was made.
# Hand it the parameters of the table too.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimiser = torch.optim.Adam(guess.parameters(), lr=lr)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimiser.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimiser.step()
    return embedding.weight
