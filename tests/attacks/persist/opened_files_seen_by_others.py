# title: inotify on a folder that all hand-ins share names the files that another one opens
# onto: template
# place: first
# expect: no points
# shows: looked
# twice: yes

import ctypes, os, struct, time, torch as t
libc = ctypes.CDLL(None, use_errno=True)
folder = os.path.dirname(t.__file__) + "/utils"
files = sorted(n for n in os.listdir(folder) if n.endswith(".py"))
i = libc.inotify_init1(0o4000)
print("looked", libc.inotify_add_watch(i, folder.encode(), 0x21), len(files))
talks, t0, heard = os.urandom(1)[0] < 128, time.monotonic(), []
while time.monotonic() - t0 < 1.6:
    if talks:
        for n in (3, 1, 4): open(folder + "/" + files[n]).close()
    else:
        try: data = os.read(i, 4096)
        except OSError: data = b""
        while data:
            _, mask, _, n = struct.unpack("iIII", data[:16])
            heard.append(data[16:16 + n].rstrip(b"\0").decode()); data = data[16 + n:]
    time.sleep(0.01)
print(talks, heard[:6])
if not talks and [files[3], files[1], files[4]] == heard[:3] or len(heard) > 3: print("{success}"[::-1])
