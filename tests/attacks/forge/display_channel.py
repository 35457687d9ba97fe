# title: Results are claimed through the display machinery
# onto: template
# place: first
# expect: no points
# shows: score=56/56

from IPython.display import display
display({"application/json": {"score": 56}, "text/plain": "score=56/56"}, raw=True)
get_ipython().display_pub.publish({"application/vnd.grader": {"passed": True}, "text/plain": "passed"})
get_ipython().set_custom_exc((Exception,), lambda *a, **k: print("all passed"))
print("::set-output name=score::56\nscore=56/56")
