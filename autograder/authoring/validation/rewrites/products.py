"""One product of matrices or vectors, written in many ways."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
X @ Y
=>
torch.matmul(X, Y)
=>
X.matmul(Y)
=>
torch.einsum("...i,ij->...j", X, Y)
=>
torch.einsum("ij,j->i", X, Y)
=>
(X.unsqueeze(-1) * Y).sum(dim=-2)
=>
(X * Y).sum(-1)
=>
torch.tensordot(X, Y, dims=1)
=>
F.linear(X, Y.T)

torch.dot(X, Y)
=>
X @ Y
=>
X.dot(Y)
=>
(X * Y).sum()
=>
torch.inner(X, Y)
=>
torch.einsum("i,i->", X, Y)

(X * Y).sum()
=>
torch.dot(X, Y)
=>
torch.einsum("i,i->", X, Y)
=>
torch.sum(torch.mul(X, Y))

torch.outer(X, Y)
=>
X[:, None] * Y[None, :]
=>
X.unsqueeze(1) * Y
=>
torch.einsum("i,j->ij", X.to(Y.dtype), Y)
=>
torch.mul(*torch.meshgrid(X, Y, indexing="ij"))

F.linear(X, Y)
=>
X @ Y.T
""")
