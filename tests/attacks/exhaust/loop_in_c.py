# title: A loop inside of C code that looks for no signals
# onto: template
# place: first
# expect: no points, stopped: cpu or wall

import itertools
sum(itertools.repeat(1))
