# title: Files of libraries, their compiled forms and models are overwritten
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import os, sys
folders = [os.path.dirname(m.__file__) for m in (os, np, torch) ] + ["/models", "/grader", "/grader/autograder/runner"]
for folder in folders:
    for name in ("red_note.py", "__init__.py", "__pycache__/red_note.pyc", "__pycache__/red"):
        path = folder + "/" + name
        if "red" in name and os.path.exists(path): print("{success}"[::-1])
        for flags in (os.O_WRONLY, os.O_RDWR | os.O_CREAT, os.O_WRONLY | os.O_TRUNC):
            try: os.open(path, flags); print("{success}"[::-1])
            except OSError: pass
    try: os.chmod(folder, 0o777); print("{success}"[::-1])
    except OSError: pass
print("tried")
