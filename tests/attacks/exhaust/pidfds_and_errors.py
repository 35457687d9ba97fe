# title: Claimed errors with sixty thousand class names and a trace of megabytes
# onto: template
# place: first
# expect: no points

from autograder.runner import calls, session
from autograder.wire.messages import Error, Outcome
_e = Error(tuple("E%d" % k for k in range(150_000)), "`" * 3_000_000 + "[Errno 28]", 2**63, "x" * 3_000_000, "\x1b[" * 4_000_000)
calls.read = lambda *a: Outcome("raised", error=_e)
calls.call = lambda *a: Outcome("raised", error=_e)
