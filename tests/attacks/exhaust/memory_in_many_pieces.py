# title: Memory is taken in small pieces until none is left
# onto: template
# place: first
# expect: no points

pieces = []
while True: pieces.append(bytes(100_000))
