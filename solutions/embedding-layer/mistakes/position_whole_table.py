# position_lookup: the whole table
# You took the vectors of all positions. position_row_0 is one vector of 8 numbers.
position_table = nn.Embedding(16, 8)
position_row_0 = position_table(torch.arange(16))
