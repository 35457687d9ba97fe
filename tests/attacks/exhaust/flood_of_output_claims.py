# title: A flood of output claims
# onto: template
# place: first
# expect: no points, stopped: budget (all its results together are larger than 24 MB)

from autograder.wire import messages as M
from autograder.runner import serve, session
done = M.CellDone((M.Output('stdout', 'text/plain', b'A' * 7_000_000),))
session.Session._run_cell = lambda self, r: done
