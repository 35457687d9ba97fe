# title: A regular expression that backtracks for ever
# onto: template
# place: first
# expect: no points, stopped: cpu or wall

import re
re.match(r"(a|aa)+$", "a" * 60 + "b")
