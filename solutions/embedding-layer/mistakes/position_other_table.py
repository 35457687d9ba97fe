# position_lookup: a row of another table
# position_row_0 is no row of position_table. Was the table made again after you looked the row
# up?
position_table = nn.Embedding(16, 8)
position_row_0 = position_table.weight[0]
position_table = nn.Embedding(16, 8)
