# title: Another kind of answer
# onto: template
# place: first
# expect: no points, stopped: protocol (it answered another question)

from autograder.wire import messages as M
from autograder.runner import serve, session
session.Session._run_cell = lambda self, r: M.Kept()
