# position_lookup: row 1 instead of row 0
# You took row 1. Positions are counted from 0, so the first token of a sequence is at position 0.
position_table = nn.Embedding(16, 8)
position_row_0 = position_table(torch.tensor(1))
