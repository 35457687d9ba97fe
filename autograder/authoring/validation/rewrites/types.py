"""Conversions between types of numbers, and between devices."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
X.float()
=>
X.to(torch.float32)
=>
X.type(torch.float32)
=>
1.0 * X.double().float()

X.to(Y)
=>
X.to(Y, copy=True)
=>
X.type(Y)
=>
X.to(dtype=Y)
=>
X.to(device=Y)

torch.as_tensor(X)
=>
torch.tensor(np.asarray(X))
=>
torch.from_numpy(np.asarray(X))

torch.as_tensor(X, dtype=K)
=>
torch.as_tensor(X).to(K)
=>
torch.clone(torch.as_tensor(X)).to(dtype=K)

torch.from_numpy(X)
=>
torch.tensor(X)
=>
torch.as_tensor(X)
=>
torch.tensor(X.tolist(), dtype=torch.float32)

float(X)
=>
X.item()
=>
X.tolist()
=>
X

X.tolist()
=>
X.detach().numpy().tolist()
=>
[entry.item() for entry in X]

L.item()
=>
float(L)
=>
L.detach()
=>
L.detach().cpu().numpy().item()

torch.tensor(X)
=>
torch.as_tensor(X)
=>
torch.from_numpy(np.array(X))
=>
torch.stack([torch.as_tensor(entry) for entry in X])

isinstance(X, C)
=>
issubclass(type(X), C)

np.array(X, dtype=K)
=>
np.asarray(X, dtype=K)
=>
np.fromiter(X, dtype=K)
""")
