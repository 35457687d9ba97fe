# title: A datagram from one end of a pair to a listener by its name
# onto: template
# place: first
# expect: no points
# shows: looked

import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
for address in ("{datagrams}", "\0{abstract}"):
    try:
        print("sent", repr(address), a.sendto(b"hello from {name}", address)); print("{success}"[::-1])
    except OSError as e: print(repr(address), e)
print("looked")
