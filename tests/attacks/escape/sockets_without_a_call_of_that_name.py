# title: Connections by a socket pair and by libraries
# onto: template
# place: first
# expect: no points

import ctypes, socket, struct, urllib.request
libc = ctypes.CDLL(None, use_errno=True)
address = struct.pack("!HH4s8x", 0, int("{tcp}"), bytes([127, 0, 0, 1]))
address = struct.pack("=H", 2) + address[2:]
for fd in (0, 1, 2, 3):
    if libc.connect(fd, address, 16) == 0: print("{success}"[::-1])
    if libc.sendto(fd, b"{name}", 20, 0, address, 16) > 0 and fd != 3: print("{success}"[::-1])
a, b = socket.socketpair()
name = b"\1\0\0{abstract}"
if libc.connect(a.fileno(), name, len(name)) == 0: print("{success}"[::-1])
if libc.bind(b.fileno(), name + b"x", len(name) + 1) == 0: print("{success}"[::-1])
try: urllib.request.urlopen("http://127.0.0.1:{tcp}/{name}", timeout=0.3); print("{success}"[::-1])
except Exception: pass
print("tried")
