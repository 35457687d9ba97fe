# position_lookup: a list of numbers
# The row as a plain list.
position_table = nn.Embedding(16, 8)
position_row_0 = F.embedding(torch.tensor([0]), position_table.weight)[0].tolist()
