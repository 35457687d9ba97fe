# title: One file with any number of names
# onto: template
# place: first
# expect: no points

import os
open("/tmp/one", "w").close()
try:
    for n in range(10**6): os.link("/tmp/one", "/tmp/link%d" % n)
except OSError: pass
