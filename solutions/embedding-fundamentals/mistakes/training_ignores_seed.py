# train_embeddings: a fixed seed
# Every call starts from the same random numbers, whatever seed is passed. Use `seed`.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(42)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding.weight
