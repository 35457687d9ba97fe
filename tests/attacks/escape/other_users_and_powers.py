# title: Another user, capabilities, limits raised, the filter taken off
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, resource
libc = ctypes.CDLL(None, use_errno=True)
uid = os.getuid()
for change in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]),
               lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)), lambda: os.nice(-5),
               lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (10**6, 10**6)),
               lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)), lambda: os.chown("/tmp", 0, 0)):
    try: change(); before = uid
    except (OSError, ValueError): continue
    if os.getuid() != before or uid != 0: print("{success}"[::-1])
for option, value in ((1, 0), (4, 1), (22, 0), (8, 1), (47, 2), (38, 0)):
    if libc.prctl(option, value, 0, 0, 0) == 0 and option != 8: print("{success}"[::-1])
header = (ctypes.c_uint32 * 2)(0x20080522, 0); data = (ctypes.c_uint32 * 6)(*[0xffffffff] * 6)
if libc.capset(header, data) == 0: print("{success}"[::-1])
print("tried")
