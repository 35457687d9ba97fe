# title: Every call and every name is claimed to be unsupported
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import calls, session
claim = M.Outcome("unsupported", error=M.Error(("NotSimulated", "BaseException"), "torch.cuda.CUDAGraph"))
calls.read = session.calls.read = lambda names, name: claim
calls.call = session.calls.call = lambda names, request: claim
