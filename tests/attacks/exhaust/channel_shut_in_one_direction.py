# title: The channel is shut for writing while the process lives on
# onto: template
# place: first
# expect: no points, restarted

import ctypes, time
ctypes.CDLL(None).shutdown(3, 1)
t = time.monotonic()
while True: pass
