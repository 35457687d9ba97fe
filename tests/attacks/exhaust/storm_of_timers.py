# title: A timer fires all the time
# onto: template
# place: first
# expect: no points

import signal
signal.signal(signal.SIGALRM, lambda *a: sum(range(1000)))
signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
print("tried")
