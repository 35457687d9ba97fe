# title: Extended attributes of files that anybody may write are set
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for path in ("{secret}", "{results}/notes.txt", "{neighbour}"):
    try: os.setxattr(path, "user.red", b"1"); print("{success}"[::-1])
    except OSError: pass
print("tried")
