# position_lookup: a column instead of a row
# You took a column of the table: one number of each of several positions. A position's vector is a
# row.
position_table = nn.Embedding(16, 8)
position_row_0 = position_table.weight[:8, 0]
