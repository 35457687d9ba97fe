# position_lookup: a row of another table
# position_row_0 is not a row of position_table. Did you create the table again after you looked up
# the row?
position_table = nn.Embedding(16, 8)
position_row_0 = position_table.weight[0]
position_table = nn.Embedding(16, 8)
