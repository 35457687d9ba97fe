# title: An answer byte by byte
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
import os, time
def send(fd, nonce, answer):
    os.write(fd, (7_000_000).to_bytes(8, 'big'))
    while True:
        try: os.write(fd, b'x'), time.sleep(0.01)
        except KeyboardInterrupt: pass
serve.send = send
