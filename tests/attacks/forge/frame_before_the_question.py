# title: A frame before the question
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
import os
os.write(3, M.frame(M.encode(M.Reply(0, M.Kept()))))
