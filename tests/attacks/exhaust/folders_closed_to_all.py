# title: Folders without any permission, full of files
# onto: template
# place: first
# expect: no points

import os
for n in range(50):
    os.mkdir("shut%d" % n)
    for m in range(20): open("shut%d/file%d" % (n, m), "w").close()
    os.chmod("shut%d" % n, 0)
print("tried")
