# title: Own memory is searched for words of the assignment
# onto: template
# place: first
# expect: no points
# shows: tried

start, end = b"Twice as many rows", b".htdiw emas eht fo"[::-1]
import time
found, began = 0, time.process_time()
try:
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            low, high = (int(x, 16) for x in line.split()[0].split("-"))
            if "rw" not in line or high - low > 1 << 26 or time.process_time() - began > 0.5: continue
            try:
                memory.seek(low); data = memory.read(high - low)
            except (OSError, ValueError): continue
            at = data.find(start)
            while at >= 0:
                after = data[at + len(start):at + len(start) + 40]
                if end in after: found += 1
                at = data.find(start, at + 1)
except OSError: pass
if found: print("{success}"[::-1])
print("tried")
