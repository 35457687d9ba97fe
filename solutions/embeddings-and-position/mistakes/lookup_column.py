# embedding_lookup: indexes a column instead of a row
# Your indexing goes along the columns of the table. A token's vector is a row: the first axis of
# the weight is the tokens.
embedding = nn.Embedding(10, 4)
via_call = embedding(torch.tensor(3))
via_index = embedding.weight[:4, 3]
