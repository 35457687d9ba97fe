# embedding_lookup: the table cannot learn
# Your table does not learn: its numbers have no gradient. Leave the nn.Embedding as PyTorch creates
# it.
embedding = nn.Embedding(10, 4)
embedding.weight.requires_grad_(False)
via_call = embedding(torch.tensor(3))
via_index = embedding.weight[3]
