# title: Record locks on a shared library tell one running hand-in of another
# onto: template
# place: first
# expect: no points
# shows: looked
# twice: yes

import fcntl, os, struct, time, torch as t
fd = os.open(t.__file__, os.O_RDONLY)
lock = struct.pack("hhqqixxxx", fcntl.F_RDLCK, 0, 4242, 1, 0)
try:
    before = struct.unpack("hhqqixxxx", fcntl.fcntl(fd, fcntl.F_GETLK, struct.pack("hhqqixxxx", fcntl.F_WRLCK, 0, 4242, 1, 0)))
    fcntl.fcntl(fd, fcntl.F_SETLK, lock)
    print("looked: a lock was set", before)
    t0 = time.monotonic()
    while time.monotonic() - t0 < 1.5:
        g = struct.unpack("hhqqixxxx", fcntl.fcntl(fd, fcntl.F_GETLK, struct.pack("hhqqixxxx", fcntl.F_WRLCK, 0, 4242, 1, 0)))
        if g[0] != fcntl.F_UNLCK:
            print("{success}"[::-1]); break
        time.sleep(.01)
except OSError as e:
    print("looked", e)
