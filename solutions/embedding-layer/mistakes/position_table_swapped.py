# position_lookup: 8 positions of width 16
# Your table has 8 rows and 16 columns. nn.Embedding takes the number of rows first, and here
# rows are positions: 16 of them, 8 numbers each.
position_table = nn.Embedding(8, 16)
position_row_0 = position_table(torch.tensor(0))
