# train_embeddings: shuffled batches
# An nn.Sequential, batches of eight, a list of lists at the end.
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size))
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    data = torch.tensor(pairs)
    for _ in range(epochs):
        for batch in data[torch.randperm(len(data))].split(8):
            loss = nn.CrossEntropyLoss()(model(batch[:, 0]), batch[:, 1])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model[0].weight.tolist()
