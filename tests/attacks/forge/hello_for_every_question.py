# title: A hello for every question
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
session.Session.answer = lambda s, r: M.Ready(('strong',))
