# title: The solution's own file is opened
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for path in ("{solution}", os.path.dirname("{solution}") + "/mistakes"):
    try:
        os.open(path, os.O_RDONLY)
        print("{success}"[::-1])
    except OSError: pass
print("tried")
