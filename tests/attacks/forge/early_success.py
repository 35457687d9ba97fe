# title: Early success
# onto: template
# place: first
# expect: no points

import sys
print('ALL PASSED score=56/56')
sys.exit(0)
