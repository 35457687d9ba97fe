# title: A list of tiny numbers
# onto: template
# place: first
# expect: no points, restarted

from autograder.wire import messages as M
from autograder.runner import serve, session
import os
def send(fd, nonce, answer):
    body = M.encode(M.Reply(nonce, answer))
    if isinstance(answer, M.Kept) and answer.outcomes:
        many = b'\xdd' + (4_000_000).to_bytes(4, 'big') + b'\xe0' * 4_000_000
        empty = M.Kept((M.Outcome('returned', M.Items('list', ())),))
        body = M.encode(M.Reply(nonce, empty)).replace(b'items\x90', b'items' + many)
    frame, sent = M.frame(body), 0
    while sent < len(frame): sent += os.write(fd, frame[sent:])
serve.send = send
