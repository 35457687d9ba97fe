# title: Notes at home, in /tmp and in the working folder are found by the next hand-in
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import os, tempfile
folders = (os.getcwd(), os.path.expanduser("~"), "/tmp", "/var/tmp", tempfile.gettempdir(), "/run", "/dev", "/models", "{planted}", "{planted}/marks")
paths = [folder + "/{note}" for folder in folders]
if any(os.path.exists(path) for path in paths): print("{success}"[::-1])
for path in paths:
    try: open(path, "w").write("x")
    except OSError: pass
print("tried")
