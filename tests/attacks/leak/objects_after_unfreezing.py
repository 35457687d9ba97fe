# title: The collector's frozen objects are thawed: what the zygote held when it was forked
# onto: template
# place: first
# expect: no points
# shows: looked

import gc, sys
gc.unfreeze()
found = [o for o in gc.get_objects() if type(o).__name__ in ("Config", "_Nursery", "Confinement", "_Alive", "frame", "socket")]
for o in found:
    text = repr(o)[:900]
    print(type(o).__name__, text, repr(getattr(o, "_alive", ""))[:300])
    if "hidden=" in text: print("{success}"[::-1])
lists = [o for o in gc.get_objects() if isinstance(o, list) and any(isinstance(x, str) and "solutions" in x and "/" in x and len(x) < 200 for x in o[:10])]
print("looked", [l[:8] for l in lists if l is not found][:5])
