# title: Two locks and a thread that never ends keep each other waiting
# onto: template
# place: first
# expect: no points, stopped: wall

import threading
one, two = threading.Lock(), threading.Lock()
def other():
    with two: one.acquire()
one.acquire()
threading.Thread(target=other).start()
import time; time.sleep(0.05)
two.acquire()
