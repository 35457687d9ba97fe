# lm_head: a bare table
# You made a table of zeros, but no layer. nn.Linear holds the table, makes it learnable, and can
# be called.
lm_head = torch.zeros(1000, 128)
