# title: A stop of itself
# onto: template
# place: first
# expect: no points

import os, signal
os.kill(os.getpid(), signal.SIGSTOP)
