# title: The runner's functions are replaced by ones that return the arguments
# onto: template
# place: first
# expect: no points
# shows: tried
# may pass: bag_of_words/form

from autograder.runner import calls, session
from autograder.wire.messages import Kept, Outcome
calls.call = lambda names, r: Outcome("returned", r.args[0] if r.args else None, None, (), tuple(r.args))
calls.read = lambda names, name: Outcome("returned", 38400000)
session.Session._read = lambda self, r: Outcome("returned", True)
print("tried")
