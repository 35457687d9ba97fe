# title: A note in /dev/shm is found by the next hand-in
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import os
path = "/dev/shm/{note}"
if os.path.exists(path): print("{success}"[::-1])
try: open(path, "w").write("x")
except OSError: pass
print("tried")
