# embedding_lookup: a NumPy row and a list
# The row by index is a NumPy array, the row by call a plain list.
embedding = nn.Embedding(10, 4)
via_call = embedding(torch.LongTensor([3]))[0].tolist()
via_index = embedding.weight.detach().numpy()[3]
