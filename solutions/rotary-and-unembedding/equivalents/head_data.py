# lm_head: a new parameter
# The weight is replaced by a parameter of zeros.
lm_head = nn.Linear(128, 1000, bias=False)
lm_head.weight = nn.Parameter(torch.zeros_like(lm_head.weight))
