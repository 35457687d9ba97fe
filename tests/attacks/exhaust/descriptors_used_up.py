# title: Every descriptor is in use and stays so
# onto: template
# place: first
# expect: no points
# shows: tried

import os
held = []
try:
    while True: held.append(os.open("/dev/null", os.O_RDONLY))
except OSError: pass
print("tried")
