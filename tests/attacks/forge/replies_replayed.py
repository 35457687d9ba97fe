# title: Every reply is the bytes of an earlier reply
# onto: template
# place: first
# expect: no points, stopped: protocol

import os
from autograder.runner import serve
seen = []
def write(fd, data):
    seen.append(bytes(data))
    return len(data) if os.write(fd, seen[0]) else 0
serve._write = write
