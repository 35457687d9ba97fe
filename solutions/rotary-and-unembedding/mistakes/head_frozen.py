# lm_head: cannot learn
# Your weights are zero, but frozen, so they stay zero forever. They must be learnable.
lm_head = nn.Linear(128, 1000, bias=False)
lm_head.weight = nn.Parameter(torch.zeros(1000, 128), requires_grad=False)
