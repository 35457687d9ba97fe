# title: Descriptors are asked for and sent over the channel
# onto: template
# place: first
# expect: no points

import array, os, socket
channel = socket.socket(fileno=3)
try: channel.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
except OSError: pass
try: print(channel.recvmsg(1, 1000, socket.MSG_DONTWAIT))
except OSError: pass
try: channel.shutdown(socket.SHUT_RDWR)
except OSError: pass
channel.detach()
