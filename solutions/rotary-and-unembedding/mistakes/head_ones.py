# lm_head: the same number everywhere, but not zero
# All your weights are the same number, but not 0. Only zero gives every word the logit 0.
lm_head = nn.Linear(128, 1000, bias=False)
nn.init.ones_(lm_head.weight)
