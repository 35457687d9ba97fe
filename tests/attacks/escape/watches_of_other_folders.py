# title: inotify on folders of others, and descriptors by name that are never opened
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
i = libc.inotify_init1(0)
for path in ("{results}", "{planted}", "/tmp", "/dev/shm", "/proc/self/fd"):
    r = libc.inotify_add_watch(i, path.encode(), 0xfff)
    print(path[-20:], r, os.strerror(ctypes.get_errno()) if r < 0 else "watched")
try:
    fd = os.open("{planted}", os.O_PATH | os.O_DIRECTORY)
    for name in ("secret.txt", "marks"):
        try:
            print(os.stat(name, dir_fd=fd).st_size)
            g = os.open(name, os.O_PATH, dir_fd=fd)
            print(open("/proc/self/fd/%d" % g).read())
        except OSError as e: print(e)
except OSError as e: print(e)
print("looked")
