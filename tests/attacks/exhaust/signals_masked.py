# title: All signals are blocked, then it sleeps
# onto: template
# place: first
# expect: no points, stopped: wall

import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
time.sleep(1000)
