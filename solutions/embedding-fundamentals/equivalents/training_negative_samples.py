# train_embeddings: pairs against drawn ones
# Word vectors and context vectors, a sigmoid for true pairs and five drawn ones; the nn.Embedding
# itself is returned.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    words, contexts = nn.Embedding(vocab_size, embed_dim), nn.Embedding(vocab_size, embed_dim)
    optimizer = torch.optim.Adam([*words.parameters(), *contexts.parameters()], lr=lr)
    first, second = torch.tensor(pairs).T
    for _ in range(epochs):
        drawn = torch.randint(0, vocab_size, (len(pairs), 5))
        true = (words(first) * contexts(second)).sum(-1)
        false = (words(first).unsqueeze(1) * contexts(drawn)).sum(-1)
        loss = -F.logsigmoid(true).mean() - F.logsigmoid(-false).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return words
