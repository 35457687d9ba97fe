"""Sums, products and comparisons in another order or by another name."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
X + Y
=>
Y + X
=>
torch.add(X, Y)
=>
X - -Y
=>
sum([X, Y])

X * Y
=>
Y * X
=>
torch.mul(X, Y)
=>
X / (1 / Y)

X - Y
=>
X + (-Y)
=>
-(Y - X)
=>
torch.sub(X, Y)

X / Y
=>
torch.div(X, Y)
=>
torch.true_divide(X, Y)
=>
X * (1.0 / Y)

X == 0
=>
not X

X > Y
=>
Y < X
=>
not X <= Y

X not in Y
=>
not (X in Y)

X or not Y
=>
not (Y and not X)

X.lower()
=>
str.lower(X)
=>
X.casefold()

X.any()
=>
torch.any(X)
=>
bool(X.any())
=>
X.sum() > 0

X.mean(dim=D)
=>
torch.mean(X, D)
=>
X.sum(dim=D) / X.shape[D]

return X + Y
=>
result = X + torch.zeros_like(Y)
result += Y
return result
=>
result = torch.zeros_like(X + Y)
result += X
result += Y
return result

return X * Y
=>
result = X * torch.ones_like(Y)
result *= Y
return result
""")
