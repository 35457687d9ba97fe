# embedding_lookup: the table cannot learn
# Your table does not learn: its numbers take no gradient. Leave the embedding as nn.Embedding
# makes it.
embedding = nn.Embedding(10, 4)
embedding.weight.requires_grad_(False)
via_call = embedding(torch.tensor(3))
via_index = embedding.weight[3]
