# title: Floods of output on descriptors 1 and 2, past Python's streams
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os
for fd in (1, 2):
    for _ in range(2000): os.write(fd, b"x" * 100_000)
libc = ctypes.CDLL(None)
for _ in range(100_000): libc.puts(b"flood" * 100)
print("tried")
