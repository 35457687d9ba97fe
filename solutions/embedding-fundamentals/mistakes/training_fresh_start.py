# train_embeddings: starts over in every epoch
# You create a new table in every epoch, so each epoch discards the work of the previous one. Create
# it once, before the loop.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        embedding, guess = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
        optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding.weight
