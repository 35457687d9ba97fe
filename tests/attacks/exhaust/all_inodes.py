# title: All inodes
# onto: template
# place: first
# expect: no points

import os
for n in range(10**6): os.mkdir(f'/tmp/{n}')
