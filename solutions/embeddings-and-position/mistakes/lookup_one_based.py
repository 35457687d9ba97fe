# embedding_lookup: counts tokens from 1
# You took row 2. Ids start at 0, so the token with id 3 is the fourth row; no subtraction is
# needed.
embedding = nn.Embedding(10, 4)
token = 3
via_call = embedding(torch.tensor([token - 1]))
via_index = embedding.weight[token - 1]
