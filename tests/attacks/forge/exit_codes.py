# title: The process leaves with the exit code of a success
# onto: template
# place: own
# expect: no points, stopped: died

import atexit, os, sys
atexit.register(lambda: os.write(1, b"56/56 all passed"))
sys.exitfunc = lambda: 0
print("OK 56/56")
os._exit(0)
