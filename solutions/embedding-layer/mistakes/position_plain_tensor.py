# position_lookup: a tensor instead of nn.Embedding
# Your table is only a tensor. Make it an nn.Embedding, so that it is a module with a parameter.
position_table = torch.randn(16, 8)
position_row_0 = position_table[0]
