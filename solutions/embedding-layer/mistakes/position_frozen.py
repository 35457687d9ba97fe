# position_lookup: the table cannot learn
# Your table takes no gradient, so its positions would never be learned. Leave the nn.Embedding
# as PyTorch makes it.
position_table = nn.Embedding(16, 8)
position_table.weight.requires_grad_(False)
position_row_0 = position_table(torch.tensor(0))
