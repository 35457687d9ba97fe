"""Axes that are added, removed, counted and joined."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
X.unsqueeze(1)
=>
X[:, None]
=>
torch.unsqueeze(X, dim=1)
=>
X.reshape(X.shape[0], 1, *X.shape[1:])

X.unsqueeze(2)
=>
X[:, :, None]
=>
X.reshape(*X.shape[:2], 1, *X.shape[2:])

X.unsqueeze(-1)
=>
X[..., None]

X[:, None]
=>
X.unsqueeze(1)
=>
X[:, np.newaxis]

X[None, :]
=>
X.unsqueeze(0)

X.squeeze(2)
=>
X[:, :, 0]
=>
X.flatten(2)

X.flatten(N)
=>
torch.flatten(X, start_dim=N)
=>
X.reshape(*X.shape[:N], X.shape[N] * X.shape[N + 1])

X.flatten()
=>
X.reshape(-1)
=>
torch.ravel(X)

X.shape[I]
=>
X.size(I)
=>
list(X.shape)[I]

X.shape[-1]
=>
X.shape[X.dim() - 1]

len(X)
=>
X.shape[0]

torch.stack((X, Y), dim=-1)
=>
torch.stack([X, Y], -1)
=>
torch.cat((X[..., None], Y[..., None]), dim=-1)

X[..., 0::2]
=>
X[..., ::2]
=>
X[..., torch.arange(0, X.shape[-1], 2, device=X.device)]
=>
X.unflatten(-1, (-1, 2))[..., 0]

X[..., 1::2]
=>
X[..., torch.arange(1, X.shape[-1], 2, device=X.device)]
=>
X.unflatten(-1, (-1, 2))[..., 1]

X.T
=>
X.transpose(0, 1)
=>
X.permute(1, 0)
""")
