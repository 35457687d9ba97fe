"""Loops, comprehensions and conditions."""

from __future__ import annotations

from autograder.authoring.validation.rewrites.pattern import rules

RULES = rules("""
[E for V in S]
=>
list(E for V in S)
=>
list(map(lambda V: E, S))
=>
[*(E for V in S)]

[E for V in S if C]
=>
list(E for V in S if C)
=>
[E for V in filter(lambda V: C, S)]

[E for V, W in S]
=>
list(E for V, W in S)
=>
[(lambda V, W: E)(*both) for both in S]

all(E for V in S)
=>
not any(not E for V in S)
=>
all([E for V in S])
=>
all(map(lambda V: E, S))

R = [E for V in S if C]
=>
R = []
for V in S:
    if C:
        R.append(E)

R = [E for V in S]
=>
R = []
for V in S:
    R.append(E)

return [E for V, W in S]
=>
result = []
for V, W in S:
    result.append(E)
return result

if C:
    return X
return Y
=>
return X if C else Y
=>
if not (C):
    return Y
return X
=>
if C:
    return X
else:
    return Y

X, Y = V, W
=>
X = V
Y = W
=>
(X, Y) = [V, W]

return X
=>
result = X
return result
=>
return (lambda: X)()
=>
try:
    return X
finally:
    pass
""")
