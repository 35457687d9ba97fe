# title: Each cell claims that memory ran out while address space is set aside
# onto: template
# place: own
# expect: no points

import mmap
try: _held.append(mmap.mmap(-1, 190 << 20))
except NameError: _held = [mmap.mmap(-1, 190 << 20)]
except Exception: pass
raise MemoryError("Cannot allocate memory")
