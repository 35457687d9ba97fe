# title: A loop of forks by every way that there is
# onto: template
# place: first
# expect: no points
# shows: tried

import multiprocessing, os, subprocess
own = os.getpid()
for _ in range(200):
    for make in (os.fork, os.forkpty, lambda: subprocess.Popen(["sleep", "9"]), lambda: multiprocessing.Process(target=print).start()):
        try: make()
        except Exception: continue
        if os.getpid() != own: os._exit(0)
        print("{success}"[::-1])
print("tried")
