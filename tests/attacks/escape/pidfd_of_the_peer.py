# title: A pidfd of the grader by an option of the channel
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, os, select, struct, fcntl
libc = ctypes.CDLL(None, use_errno=True)
buf = ctypes.create_string_buffer(8)
if libc.getsockopt(3, 1, 77, buf, ctypes.byref(ctypes.c_int(4))) == 0:
    fd = struct.unpack("i", buf.raw[:4])[0]
    print("a pidfd", fd, open("/proc/self/fdinfo/%d" % fd).read())
    for nr in range(1, 11):
        try: print("namespace", nr, fcntl.ioctl(fd, 0xFF00 | nr, 0))
        except OSError as e: print(nr, e)
    b = bytearray(128); struct.pack_into("Q", b, 0, 7)
    try: fcntl.ioctl(fd, 0xC0000000 | (64 << 16) | 0xFF0B, b); print("info", struct.unpack("QQIIIIIII", b[:44]))
    except OSError as e: print(e)
    for nr, args in ((424, (fd, 0, 0, 0)), (438, (fd, 0, 0)), (247, (3, fd, None, 4)), (308, (fd, 0)), (448, (fd, 0)), (141, (0, 0, 0))):
        print(nr, libc.syscall(nr, *args), ctypes.get_errno())
print("looked")
