"""Powers, roots, exponentials and waves."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
X.sqrt()
=>
X ** 0.5
=>
torch.sqrt(X)
=>
X.pow(0.5)

torch.sqrt(X)
=>
X.sqrt()
=>
X ** 0.5

math.sqrt(X)
=>
X ** 0.5
=>
math.pow(X, 0.5)
=>
float(np.sqrt(X))

torch.exp(X)
=>
X.exp()
=>
torch.pow(math.e, X)
=>
math.e ** X

torch.exp(X * (-math.log(N) / D))
=>
1.0 / N ** (X / D)
=>
N ** (-X / D)
=>
torch.exp(-math.log(N) * X / D)
=>
torch.pow(N, -X / D)

X ** (-Y / D)
=>
1.0 / X ** (Y / D)
=>
torch.exp(-math.log(X) * Y / D)

X ** (Y / D)
=>
math.exp(math.log(X) * Y / D)
=>
pow(X, Y / D)

(X / N) ** -0.5
=>
math.sqrt(N / X)
=>
1 / math.sqrt(X / N)
=>
math.exp(-0.5 * math.log(X / N))

X ** 2
=>
X * X
=>
X.square()

X * X
=>
X ** 2
=>
X.square()

torch.sin(X)
=>
X.sin()
=>
torch.sin(X.double()).float()

torch.cos(X)
=>
X.cos()
=>
torch.cos(X.double()).float()

np.sin(X)
=>
math.sin(X)

np.cos(X)
=>
math.cos(X)

torch.polar(X, Y)
=>
torch.complex(X * Y.cos(), X * Y.sin())
=>
X * torch.exp(1j * Y)
=>
torch.view_as_complex(torch.stack((X * Y.cos(), X * Y.sin()), dim=-1))

F.normalize(X)
=>
X / X.norm(dim=1, keepdim=True).clamp_min(1e-12)
=>
F.normalize(X, p=2.0, dim=1)
=>
X / X.square().sum(1, keepdim=True).sqrt().clamp_min(1e-12)

F.cosine_similarity(X, Y, dim=D)
=>
(F.normalize(X, dim=D) * F.normalize(Y, dim=Y.dim() - 1)).sum(D)
=>
nn.CosineSimilarity(dim=D)(X, Y)
""")
