# title: As many threads as there can be, with tiny stacks, all asleep
# onto: template
# place: first
# expect: no points

import threading, time
threading.stack_size(32768)
sleep = threading.Event().wait
try:
    for _ in range(100_000): threading.Thread(target=sleep, daemon=True).start()
except RuntimeError: print("no more")
time.sleep(1)
