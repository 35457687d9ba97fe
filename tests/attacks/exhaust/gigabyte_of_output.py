# title: A gigabyte of output
# onto: template
# place: first
# expect: no points

for _ in range(1000): print('x' * 1_000_000)
