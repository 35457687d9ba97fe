# train_embeddings: only pulls words together
# Your loss only pulls the words of a pair together and never pushes others apart, so in the end all
# vectors point the same way. The loss also has to separate words that do not belong together.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    embedding = nn.Embedding(vocab_size, embed_dim, _weight=1 + torch.rand(vocab_size, embed_dim))
    optimizer = torch.optim.Adam(embedding.parameters(), lr=lr)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        (-(embedding(centres) * embedding(others)).sum(dim=1).mean()).backward()
        optimizer.step()
    return embedding.weight
