# position_lookup: the table cannot learn
# Your table has no gradient, so its positions would never be learned. Leave the nn.Embedding as
# PyTorch creates it.
position_table = nn.Embedding(16, 8)
position_table.weight.requires_grad_(False)
position_row_0 = position_table(torch.tensor(0))
