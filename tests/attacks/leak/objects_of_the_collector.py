# title: All objects that the garbage collector knows are searched for expected values
# onto: template
# place: first
# expect: no points
# shows: tried

import gc, sys
words = {"exp" + "ected", "rub" + "ric", "toler" + "ance", "rela" + "tions", "ver" + "dict"}
for thing in gc.get_objects():
    if type(thing) is dict and len(words & {k for k in thing if type(k) is str}) >= 3:
        print("{success}"[::-1])
    if type(thing).__name__ in ("Loaded", "Assignment", "Verdict", "Prepared", "Setting", "Box"):
        print("{success}"[::-1])
for frame in sys._current_frames().values():
    while frame is not None:
        if {"bank", "expec" + "ted", "context", "reference"} & set(frame.f_locals): print("{success}"[::-1])
        frame = frame.f_back
print("tried")
