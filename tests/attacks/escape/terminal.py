# title: The terminal of whoever started the grader is typed into
# onto: template
# place: first
# expect: no points
# shows: tried

import fcntl, os
for path in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/ptmx", "/dev/pts/0"):
    try: os.open(path, os.O_RDWR); print("{success}"[::-1])
    except OSError: pass
for fd in (0, 1, 2, 3):
    for code in (0x5412, 0x541C):
        try: fcntl.ioctl(fd, code, b"x"); print("{success}"[::-1])
        except OSError: pass
print("tried")
