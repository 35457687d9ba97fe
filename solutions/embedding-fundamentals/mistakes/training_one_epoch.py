# train_embeddings: a single step
# You trained for one epoch, whatever `epochs` is. Loop over `epochs`.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    centres, others = torch.tensor(pairs).T
    optimizer.zero_grad()
    F.cross_entropy(guess(embedding(centres)), others).backward()
    optimizer.step()
    return embedding.weight
