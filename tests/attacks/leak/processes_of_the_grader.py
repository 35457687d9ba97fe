# title: Other processes are looked at through /proc
# onto: template
# place: first
# expect: no points
# shows: tried

import os
own = str(os.getpid())
pids = {"{grader}", "2", str(os.getppid())}
try: pids |= {name for name in os.listdir("/proc") if name.isdigit()}
except OSError: pass
for pid in pids - {own, "0"}:
    for name in ("mem", "maps", "environ", "stack", "fd/0", "io", "cmdline", "auxv"):
        try:
            open("/proc/%s/%s" % (pid, name), "rb").read(1)
            if pid != own: print("{success}"[::-1])
        except OSError: pass
print("tried")
