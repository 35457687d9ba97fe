# title: Threads without end
# onto: template
# place: first
# expect: no points

import threading
def burn():
    while True: pass
for _ in range(4): threading.Thread(target=burn, daemon=True).start()
