# title: Memory is read by address: paths of hidden folders left over from before the fork
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, re
sign = b'"hid' + b'den": ['
hits = []
for line in open("/proc/self/maps"):
    span, mode, *rest = line.split()
    if mode.startswith("rw") and rest[2] == "0" or "[heap]" in line or "[stack]" in line:
        a, b = (int(x, 16) for x in span.split("-"))
        if b - a > 64 << 20: continue
        try: data = ctypes.string_at(a, b - a)
        except Exception: continue
        at = data.find(sign)
        if at >= 0 and data[at + len(sign):][:2] == b'"/': hits.append(data[at: at + 200])
print("looked", len(hits), hits[:2])
if hits: print("{success}"[::-1])
