# title: Callbacks of the garbage collector and of weak references patch the runner
# onto: template
# place: first
# expect: no points
# shows: tried

import gc, weakref
def patch(*arguments):
    from autograder.runner import calls
    calls.read = lambda *a: True
gc.callbacks.append(patch)
class Short: pass
short = Short(); keep = weakref.ref(short, patch); weakref.finalize(short, patch)
del short
gc.collect()
print("tried")
