# lm_head: a plain table
# You created a table of zeros, but not a layer. nn.Linear contains the table, makes it learnable,
# and can be called.
lm_head = torch.zeros(1000, 128)
