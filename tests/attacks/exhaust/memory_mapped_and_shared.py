# title: Memory is taken by shared maps and by maps of files
# onto: template
# place: first
# expect: no points

import mmap
maps = []
while True:
    maps.append(mmap.mmap(-1, 64 << 20))
    maps[-1].write(bytes(64 << 20))
