# title: fork, vfork, clone and exec as bare system calls, x32 numbers too
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, platform
libc, own = ctypes.CDLL(None, use_errno=True), os.getpid()
numbers = {"x86_64": (57, 56, 59, 322), "aarch64": (220, 220, 221, 281)}[platform.machine()]
def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    if os.getpid() != own: os._exit(0)
    return result
for extra in (0, 0x40000000):
    for number in numbers[:2]:
        if call(number + extra, 17, 0, 0, 0, 0) > 0: print("{success}"[::-1])
    for number in numbers[2:]:
        path = b"/bin/true"
        call(number + extra, path, 0, 0)
if call(435, ctypes.create_string_buffer(88), 88) > 0: print("{success}"[::-1])
for make in (os.fork, lambda: os.posix_spawn("/bin/true", ["true"], {}), lambda: os.system("true") or 1):
    try:
        made = make()
        if os.getpid() != own: os._exit(0)
        if made in (0, 32512, 256, -1): continue
    except (OSError, RuntimeError): continue  # a library may refuse it before the kernel does
    if make is not None and made == 1: print("{success}"[::-1])
print("tried")
