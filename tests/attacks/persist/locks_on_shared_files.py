# title: A lock on a file that all hand-ins can read tells the next one
# onto: template
# place: first
# expect: no points
# shows: tried

import fcntl, os, time
shared = [p for p in (os.__file__, "/etc/ld.so.cache", "/lib64/ld-linux-x86-64.so.2", "/dev/zero") if os.access(p, os.R_OK)]
file = os.open(shared[0], os.O_RDONLY)
try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError: pass
try: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK); print("{success}"[::-1])
except OSError: pass
print("tried")
