# title: An old nonce
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
send = serve.send
serve.send = lambda fd, n, a: send(fd, 1, a)
