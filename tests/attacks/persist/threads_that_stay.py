# title: Threads go on after the last answer and write a note when nobody looks
# onto: template
# place: last
# expect: no points
# shows: tried

import os, threading, time
def stay():
    while True:
        for path in ("{marker}", "/dev/shm/{note}", "/tmp/{note}"):
            try: open(path, "w").write("x")
            except OSError: pass
        time.sleep(0.05)
threading.Thread(target=stay, daemon=False).start()
print("tried")
