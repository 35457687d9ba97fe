# title: Open-file-description locks on a shared file and on /dev/null
# onto: template
# place: first
# expect: no points
# shows: looked
# twice: yes

import fcntl, os, struct, time, torch as t
for path, mode in ((t.__file__, os.O_RDONLY), ("/dev/null", os.O_RDWR)):
    try:
        fd = os.open(path, mode)
        kind = fcntl.F_RDLCK
        q = lambda k: struct.pack("hhqqixxxx", k, 0, 77, 1, 0)
        fcntl.fcntl(fd, 37, q(kind))     # F_OFD_SETLK
        print("looked: set on", path)
        t0 = time.monotonic()
        while time.monotonic() - t0 < 0.7:
            other = os.open(path, mode)
            g = struct.unpack("hhqqixxxx", fcntl.fcntl(other, 36, q(fcntl.F_WRLCK)))
            os.close(other)
            if g[0] != fcntl.F_UNLCK and g[4] not in (-1, os.getpid()):
                print("another", g)
            time.sleep(.01)
    except OSError as e:
        print("looked", path, e)
