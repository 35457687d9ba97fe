# title: Outcomes that make no sense
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
from autograder.runner import calls
calls.read = lambda n, r: M.Outcome('raised', 1.0, M.Error((), 'x' * 9999, 2**62))
session.calls.call = lambda n, r: M.Outcome('raised', None, None, (99, -5), (None,) * 9)
