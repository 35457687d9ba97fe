# lm_head: under no_grad
# zero_ under torch.no_grad.
lm_head = nn.Linear(128, 1000, bias=False)
with torch.no_grad():
    lm_head.weight.zero_()
