# title: Options, peers and credentials of the channel, and messages beside it
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
def call(n, *a):
    r = libc.syscall(n, *a); return r if r >= 0 else -ctypes.get_errno()
buf = ctypes.create_string_buffer(64); size = ctypes.c_int(64)
print("peercred", call(55, 3, 1, 17, buf, ctypes.byref(size)), struct.unpack("iii", buf.raw[:12]))
size = ctypes.c_int(4)
print("peerpidfd", call(55, 3, 1, 77, buf, ctypes.byref(size)), struct.unpack("i", buf.raw[:4]))
print("peergroups", call(55, 3, 1, 59, buf, ctypes.byref(ctypes.c_int(64))))
print("passcred", call(54, 3, 1, 16, ctypes.byref(ctypes.c_int(1)), 4))
print("sndbuf", call(54, 3, 1, 7, ctypes.byref(ctypes.c_int(1 << 30)), 4))
print("oob", call(44, 3, b"x", 1, 1, None, 0))
print("peername", call(52, 3, buf, ctypes.byref(ctypes.c_int(64))), buf.raw[:8])
print("fds", os.listdir("/proc/self/fd"))
print("looked")
