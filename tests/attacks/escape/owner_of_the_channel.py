# title: The channel is told to signal the grader when something arrives
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, fcntl, signal, struct
for command, value in ((8, int("{grader}")), (10, int(signal.SIGURG))):
    try: fcntl.fcntl(3, command, value); print("{success}"[::-1])
    except OSError: pass
for code in (0x8901, 0x8902):
    try: fcntl.ioctl(3, code, struct.pack("i", int("{grader}"))); print("{success}"[::-1])
    except OSError: pass
print("tried")
