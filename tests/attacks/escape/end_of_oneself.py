# title: The process kills, aborts and stops itself
# onto: template
# place: first
# expect: no points

import os, signal
os.kill(os.getpid(), signal.SIGKILL)  # the first process of a namespace lives on
os.kill(os.getpid(), signal.SIGTERM)
os.abort()
