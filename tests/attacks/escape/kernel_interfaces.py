# title: Interfaces that reach other processes or the kernel
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
block = ctypes.create_string_buffer(256)
pid = int("{grader}")
calls = {  # x86_64 alone; elsewhere these numbers mean other things
    "ptrace": (101, 16, pid, 0, 0), "ptrace me": (101, 0, 0, 0, 0), "readv": (310, pid, block, 1, block, 1, 0),
    "writev": (311, pid, block, 1, block, 1, 0), "getfd": (438, 3, 0, 0), "kcmp": (312, pid, os.getpid(), 0, 0, 0),
    "memfd": (319, b"x", 0), "secret": (447, 0), "userfault": (323, 0), "uring": (425, 8, block),
    "perf": (298, block, 0, -1, -1, 0), "bpf": (321, 0, block, 72), "handle": (303, -100, b"/tmp", block, block, 0),
    "fanotify": (300, 0, 0), "swap": (167, b"/tmp/x", 0), "module": (313, 0, b"", 0), "syslog": (103, 3, block, 100),
    "personality": (135, 0x0040000), "iopl": (172, 3), "acct": (163, b"/tmp/x"), "quota": (179, 0, 0, 0, 0),
} if platform.machine() == "x86_64" else {}
for extra in (0, 0x40000000):
    for name, (number, *arguments) in calls.items():
        if libc.syscall(number + extra, *arguments) >= 0: print(name); print("{success}"[::-1])
print("tried")
