# title: No reading
# onto: template
# place: first
# expect: no points

import autograder.runner.serve as s
s.receive = s._read = lambda *a: 1 / 0
