# title: Descriptors that the grader may have left open are read
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for fd in range(1024):
    try: where = os.readlink("/proc/self/fd/%d" % fd)
    except OSError:
        try: os.fstat(fd); where = "?"
        except OSError: continue
    if fd > 3 and not where.startswith(("/proc", "/tmp", "pipe", "/dev/null")) and "fd" not in where:
        print(fd, where); print("{success}"[::-1])
    if fd in (0, 1, 2):
        os.set_blocking(fd, False)
        if os.read(fd, 100): print("{success}"[::-1])
print("tried")
