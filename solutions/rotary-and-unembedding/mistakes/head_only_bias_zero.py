# lm_head: the bias is zeroed, the weight is not
# You set a bias to zero and left the weight random. There should be no bias at all, and the
# weight should be zero.
lm_head = nn.Linear(128, 1000)
nn.init.zeros_(lm_head.bias)
