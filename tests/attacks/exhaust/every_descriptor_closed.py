# title: Every descriptor closed
# onto: template
# place: first
# expect: no points

import os
os.closerange(0, 300)
