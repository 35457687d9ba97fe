# title: Whether a file of the grader exists is asked
# onto: template
# place: first
# expect: no points
# shows: tried
# known: medium: without namespaces student code can ask whether any path exists

import os
for path in ("{solution}", "{secret}", "{results}"):
    if os.path.exists(path):
        print("{success}"[::-1])
print("tried")
