# title: Files are made, changed and removed outside by every way to write
# onto: template
# place: first
# expect: no points
# shows: tried

import os
def through(kind):
    kind(os.path.dirname("{marker}"), "/tmp/way-" + kind.__name__)
    open("/tmp/way-" + kind.__name__ + "/" + os.path.basename("{marker}"), "w")
for change in (lambda p: os.truncate(p, 0), os.unlink, lambda p: open(p, "a"), lambda p: os.rename(p, p + "x")):
    for path in ("{secret}", "{results}/notes.txt", "{neighbour}"):
        try: change(path); print("{success}"[::-1])
        except OSError: pass
ways = [lambda: open("{marker}", "w"), lambda: os.mkdir("{marker}"), lambda: os.mkfifo("{marker}"),
        lambda: os.symlink("/tmp", "{marker}"), lambda: os.link("/dev/null", "{marker}"),
        lambda: (open("/tmp/mine", "w"), os.rename("/tmp/mine", "{marker}")), lambda: os.mknod("{marker}"),
        lambda: (open("/tmp/mine", "w"), os.link("/tmp/mine", "{marker}")), lambda: through(os.symlink),
        lambda: open("/proc/self/root{marker}", "w"), lambda: open("/proc/1/root{marker}", "w"),
        lambda: torch.save(1, "{marker}"), lambda: np.save("{marker}", 1)]
for way in ways:
    try: way()
    except Exception: pass
print("tried")
