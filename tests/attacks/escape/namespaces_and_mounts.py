# title: New namespaces, mounts and roots
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
kinds = (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000, 0x4000000, 0x2000000, 0x80)
if any(libc.unshare(kind) == 0 for kind in kinds): print("{success}"[::-1])
for name in ("user", "mnt", "net", "pid"):
    try: fd = os.open("/proc/self/ns/" + name, os.O_RDONLY)
    except OSError: continue
    if libc.setns(fd, 0) == 0: print("{success}"[::-1])
if libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0 or libc.umount2(b"/tmp", 2) == 0: print("{success}"[::-1])
if libc.mount(b"/", b"/tmp", None, 4096, None) == 0 or libc.mount(None, b"/", None, 0x20, None) == 0: print("{success}"[::-1])
if libc.chroot(b"/tmp") == 0 or libc.syscall(155, b"/tmp", b"/tmp") == 0: print("{success}"[::-1])
for number, *arguments in ((428, -100, b"/", 1), (430, b"tmpfs", 0), (442, -100, b"/", 0, 0, 0), (429, -100, b"/", -100, b"/tmp", 0)):
    if libc.syscall(number, *arguments) >= 0: print("{success}"[::-1])
print("tried")
