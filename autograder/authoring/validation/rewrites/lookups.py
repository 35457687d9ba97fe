"""Choosing rows, by indexing and in equivalent ways."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
X[I]
=>
X.index_select(0, I)
=>
F.embedding(I, X)
=>
X.index_select(0, I.flatten()).reshape(*I.shape, X.shape[1])
=>
F.one_hot(I.long(), X.shape[0]).to(X.dtype) @ X
=>
X.take(I, axis=0)
=>
X[I, :]
=>
X[I, ...]
=>
X.gather(0, I[..., None].expand(*I.shape, X.shape[1]))

self.A(I)
=>
self.A.forward(I)
=>
self.A.weight[I]
=>
F.embedding(I, self.A.weight)
=>
F.one_hot(I.long(), self.A.num_embeddings).to(self.A.weight.dtype) @ self.A.weight
=>
self.A(input=I)

F.one_hot(I, num_classes=N)
=>
F.one_hot(I, N)
=>
torch.eye(N, dtype=torch.int64, device=I.device)[I]
=>
(I[..., None] == torch.arange(N, device=I.device)).long()
=>
torch.zeros(*I.shape, N, dtype=torch.int64, device=I.device).scatter_(-1, I[..., None], 1)

torch.eye(N)
=>
torch.diag(torch.ones(N))
=>
F.one_hot(torch.arange(N)).float()

X.get(K, V)
=>
X[K] if K in X else V

nn.Embedding(N, D)
=>
nn.Embedding(num_embeddings=N, embedding_dim=D)
=>
nn.Embedding.from_pretrained(torch.randn(N, D), freeze=False)
""")
