# title: A trace and a profile function meddle with every call of the runner
# onto: template
# place: first
# expect: no points

import sys, threading
def meddle(frame, event, value):
    if frame.f_code.co_filename.startswith("/grader"):
        for name in list(frame.f_locals):
            frame.f_locals[name] = True
        frame.f_globals["Outcome"] = lambda *a, **k: True
    return meddle
sys.settrace(meddle); sys.setprofile(meddle); threading.settrace(meddle)
print("tried")
