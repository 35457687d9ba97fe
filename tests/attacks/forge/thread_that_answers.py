# title: A thread that answers
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
import os, threading, time
answer = M.frame(M.encode(M.Reply(1, M.Outcome('returned', 1.0))))
def talk():
    while True: os.write(3, answer), time.sleep(0.01)
threading.Thread(target=talk, daemon=True).start()
