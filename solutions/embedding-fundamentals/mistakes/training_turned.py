# train_embeddings: words as columns
# also: scatter_figure
# Your table is transposed, [D, V]. Words are the rows: [V, D].
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding.weight.T
