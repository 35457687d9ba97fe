# train_embeddings: only the layer of scores is trained
# Your optimiser only gets the parameters of the layer that computes the scores, so the table never
# changes. Pass it the parameters of the table too.
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
