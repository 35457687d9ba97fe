"""Counting up, empty tables and full ones."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
torch.arange(N)
=>
torch.arange(0, N)
=>
torch.arange(start=0, end=N, step=1)
=>
torch.ones(N, dtype=torch.int64).cumsum(0) - 1
=>
torch.arange(N - 1, -1, -1).flip(0)
=>
torch.tensor(list(range(N)), dtype=torch.int64)

torch.arange(N, device=D)
=>
torch.arange(N).to(D)
=>
torch.tensor(range(N), dtype=torch.int64, device=D)
=>
torch.ones(N, dtype=torch.int64, device=D).cumsum(0) - 1

torch.arange(N, dtype=K)
=>
torch.arange(N).to(K)
=>
torch.tensor(range(N), dtype=K)
=>
torch.from_numpy(np.arange(N)).to(K)

torch.arange(0, N, 2)
=>
2 * torch.arange((N + 1) // 2)
=>
torch.arange(N)[::2]

torch.arange(0, N, 2, dtype=K)
=>
torch.arange(0, N, 2).to(K)
=>
2 * torch.arange((N + 1) // 2, dtype=K)

np.zeros(N)
=>
np.zeros((N,))
=>
np.array([0.0] * N)
=>
np.full(N, 0.0)

np.zeros((N, M))
=>
np.zeros(shape=(N, M))
=>
np.full((N, M), 0.0)

torch.empty(N, M, dtype=K)
=>
torch.zeros(N, M, dtype=K)
=>
torch.full((N, M), 7.0, dtype=K)

torch.full((N, M), V)
=>
torch.ones((N, M), dtype=torch.int64) * V
=>
torch.tensor([[V] * M for _ in range(N)])

torch.ones_like(X)
=>
torch.ones(X.shape, dtype=X.dtype, device=X.device)
=>
torch.full_like(X, 1)

for V in range(N):
    B
=>
V = 0
while V < N:
    B
    V += 1
""")
