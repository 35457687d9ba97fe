"""One step of training: the optimiser, cleared gradients, derivatives."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
torch.optim.Adam(P, lr=L)
=>
torch.optim.Adam([{"params": list(P)}], lr=L)
=>
torch.optim.Adam(P, lr=L, foreach=False)
=>
torch.optim.AdamW(P, lr=L, weight_decay=0.0)
=>
torch.optim.NAdam(P, lr=L)
=>
torch.optim.Adam(params=P, lr=L, betas=(0.9, 0.999), eps=1e-08)
=>
torch.optim.Adam([{"params": [one]} for one in P], lr=L)

O.zero_grad()
=>
O.zero_grad(set_to_none=False)
=>
for group in O.param_groups:
    for parameter in group["params"]:
        parameter.grad = None
=>
for group in O.param_groups:
    for parameter in group["params"]:
        if parameter.grad is not None:
            parameter.grad.zero_()

L.backward()
=>
L.backward(retain_graph=False)
=>
torch.autograd.backward(L)
=>
L.sum().backward()

L.backward()
O.step()
=>
chosen = [parameter for group in O.param_groups for parameter in group["params"]]
for parameter, gradient in zip(chosen, torch.autograd.grad(L, chosen, allow_unused=True)):
    parameter.grad = gradient
O.step()
=>
O.step(lambda: L.backward() or L)

F.cross_entropy(X, Y)
=>
F.nll_loss(F.log_softmax(X, dim=1), Y)
=>
nn.CrossEntropyLoss()(X, Y)
=>
-F.log_softmax(X, 1).gather(1, Y[:, None]).mean()

F.cross_entropy(X, Y, ignore_index=-1)
=>
nn.CrossEntropyLoss(ignore_index=-1)(X, Y)
=>
F.nll_loss(F.log_softmax(X, dim=1), Y, ignore_index=-1)
=>
F.cross_entropy(X[Y != -1], Y[Y != -1])

nn.init.zeros_(X)
=>
nn.init.constant_(X, 0.0)
=>
X.data.zero_()
=>
with torch.no_grad():
    X.fill_(0)

nn.init.normal_(X, std=S)
=>
nn.init.normal_(X, mean=0.0, std=S)
=>
X.data.normal_(0.0, S)
=>
with torch.no_grad():
    X.copy_(S * torch.randn(X.shape))
""")
