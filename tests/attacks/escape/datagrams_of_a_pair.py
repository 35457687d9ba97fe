# title: A datagram socket of a pair sends to a name: no call of connect is needed
# onto: template
# place: first
# expect: no points
# shows: looked

import socket
try:
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for address in ("{socket}", "\0{abstract}", "/dev/log", "/run/systemd/journal/socket", "/run/systemd/notify", "/nowhere/at/all"):
        try:
            print(repr(address)[-30:], a.sendto(b"from {name}", address))
            print("{success}"[::-1])
        except OSError as e:
            print(repr(address)[-30:], e)
except OSError as e:
    print("no pair", e)
print("looked")
