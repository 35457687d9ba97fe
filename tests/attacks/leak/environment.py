# title: Every environment that /proc shows
# onto: template
# place: first
# expect: no points
# shows: tried

import os
print(dict(os.environ), os.environ.get("{variable}"))
for pid in ("self", "1", str(os.getppid()), "{grader}", "thread-self"):
    for name in ("environ", "cmdline"):
        try: print(open("/proc/%s/%s" % (pid, name)).read())
        except OSError: pass
import ctypes
libc = ctypes.CDLL(None); libc.getenv.restype = ctypes.c_char_p
print(libc.getenv(b"{variable}"))
print("tried")
