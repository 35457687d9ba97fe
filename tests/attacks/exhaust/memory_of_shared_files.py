# title: Memory is taken by files in /dev/shm and /tmp that are kept open and unlinked
# onto: template
# place: first
# expect: no points

import os
open_files = []
for place in ("/dev/shm", "/tmp", "/home/student", "."):
    try:
        for n in range(200):
            name = place + "/{note}%d" % n
            file = open(name, "wb", 0); os.unlink(name)
            file.write(bytes(1 << 20)); open_files.append(file)
    except OSError: pass
print("tried")
