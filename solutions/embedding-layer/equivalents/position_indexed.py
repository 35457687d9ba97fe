# position_lookup: the weight indexed
# Row 0 by its index, with 0.02 for the table.
position_table = nn.Embedding(16, 8)
nn.init.normal_(position_table.weight, std=0.02)
position_row_0 = position_table.weight[0].detach()
