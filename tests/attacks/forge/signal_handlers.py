# title: Every signal is caught, and a fault handler is put in place
# onto: template
# place: first
# expect: no points
# shows: tried

import contextlib, faulthandler, signal
for number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, lambda *a: print("passed"))
with contextlib.suppress(Exception):
    faulthandler.enable(); faulthandler.dump_traceback_later(0.01, repeat=True)
print("tried")
