# title: The integer 1 and the object False are overwritten in memory
# onto: template
# place: last
# expect: no points

import ctypes
ctypes.c_long.from_address(id(1) + 24).value = 38400000
ctypes.memmove(id(False), id(True), 32)
big_params = 1
