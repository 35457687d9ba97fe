# title: Sockets of every family reach for listeners of the machine
# onto: template
# place: first
# expect: no points
# shows: tried

import socket
targets = [
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int("{tcp}"))),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int("{udp}"))),
    (socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", int("{tcp}"))),
    (socket.AF_INET6, socket.SOCK_DGRAM, ("::ffff:127.0.0.1", int("{udp}"))),
    (socket.AF_UNIX, socket.SOCK_STREAM, "\0{abstract}"), (socket.AF_UNIX, socket.SOCK_STREAM, "{socket}"),
]
for family, kind, address in targets:
    try:
        one = socket.socket(family, kind); one.settimeout(0.2)
        one.connect(address); one.send(b"{name}"); print("{success}"[::-1])
    except OSError: pass
for family in (16, 17, 40, 38, 31, 15, 44):  # netlink, packet, vsock, crypto, bluetooth, key, XDP
    for kind in (1, 2, 3):
        try: socket.socket(family, kind); print("{success}"[::-1])
        except OSError: pass
print("tried")
