# lm_head: constant_
# nn.init.constant_ with 0.
lm_head = torch.nn.Linear(in_features=128, out_features=1000, bias=False)
nn.init.constant_(lm_head.weight, 0.0)
