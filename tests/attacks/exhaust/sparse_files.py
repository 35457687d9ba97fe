# title: Files that claim to be terabytes long
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for n, size in enumerate((1 << 30, 1 << 40, 1 << 60)):
    try:
        with open("big%d" % n, "wb") as file:
            file.truncate(size)
    except OSError: pass
    try: os.posix_fallocate(os.open("own%d" % n, os.O_RDWR | os.O_CREAT), 0, size)
    except OSError: pass
print("tried")
