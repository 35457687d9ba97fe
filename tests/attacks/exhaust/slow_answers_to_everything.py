# title: Slow answers to everything
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
import time
def keep(self, request):
    try: time.sleep(1000)
    except BaseException: return M.Kept()
session.Session._keep = keep
