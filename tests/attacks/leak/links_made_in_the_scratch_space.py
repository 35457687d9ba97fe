# title: Links to planted files are made inside and followed
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for n, path in enumerate(["{secret}", "{answers}", "{neighbour}", "{solution}"]):
    for make in (os.symlink, os.link, os.rename):
        name = "/tmp/link%d%s" % (n, make.__name__)
        try:
            make(path, name)
            print(open(name).read())
        except OSError: pass
print("tried")
