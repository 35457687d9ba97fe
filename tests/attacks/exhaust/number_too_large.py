# title: A power that takes years
# onto: template
# place: first
# expect: no points, stopped: cpu or wall

x = (10 ** 10 ** 6) ** (10 ** 5)
