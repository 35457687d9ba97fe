# title: Text that looks like a result is written to every descriptor
# onto: template
# place: first
# expect: no points

import json, os
text = json.dumps({"score": 56, "max_score": 56, "status": "passed", "tests": [{"passed": True}]}).encode()
for fd in range(300):
    try: os.write(fd, b"\n" + text + b"\n")
    except OSError: pass
