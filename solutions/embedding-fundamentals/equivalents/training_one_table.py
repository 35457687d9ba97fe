# train_embeddings: one table for both words
# The scores are products of rows of one table; a detached tensor is returned.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    table = torch.randn(vocab_size, embed_dim, generator=torch.Generator().manual_seed(seed))
    table.requires_grad_()
    optimizer = torch.optim.Adam([table], lr=lr)
    data = torch.as_tensor(np.array(pairs))
    for _ in range(epochs):
        loss = F.cross_entropy(table[data[:, 0]] @ table.T, data[:, 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return table.detach()
