# title: Two frames for one question
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
send = serve.send
serve.send = lambda *a: (send(*a), send(*a))
