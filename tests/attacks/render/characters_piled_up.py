# title: Piles of accents, very wide lines and very many lines
# onto: template
# place: first
# expect: no points

print("a" + "\u0301" * 20000)
print("w" * 20000)
print("\n" * 20000)
print("\U000e0041" * 2000, "\ufdfd" * 2000)
