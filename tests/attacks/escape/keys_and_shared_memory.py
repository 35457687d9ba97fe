# title: Keys and shared memory of the kernel
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(7, 4096, 0o1666) >= 0 or libc.semget(7, 1, 0o1666) >= 0 or libc.msgget(7, 0o1666) >= 0: print("{success}"[::-1])
if libc.syscall(240 if platform.machine() == "x86_64" else 180, b"x", 0o102, 0o666, None) >= 0: print("{success}"[::-1])
numbers = (248, 249, 250) if platform.machine() == "x86_64" else (217, 218, 219)
if libc.syscall(numbers[0], b"user", b"x", b"y", 1, -3) >= 0: print("{success}"[::-1])
if libc.syscall(numbers[2], 0, -3, 1) >= 0 or libc.syscall(numbers[2], 1, b"x") >= 0: print("{success}"[::-1])
print("tried")
