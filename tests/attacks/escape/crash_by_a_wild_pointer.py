# title: The process crashes by a wild pointer
# onto: template
# place: first
# expect: no points, stopped: died (the process crashed with signal SIGSEGV)

import ctypes, faulthandler
faulthandler.disable()
ctypes.string_at(8)
