# title: Another file as channel
# onto: template
# place: first
# expect: no points

import os
os.close(3)
os.open('/tmp/x', os.O_RDWR | os.O_CREAT)
os.write(3, bytes(8))
