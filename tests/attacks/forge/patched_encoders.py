# title: The encoders of the channel are replaced
# onto: template
# place: first
# expect: no points

import json, msgspec
from autograder.runner import serve
from autograder.wire import messages
nothing = lambda *a, **k: b"\xc0"
msgspec.msgpack.encode = msgspec.json.encode = json.dumps = messages.encode = nothing
serve._encode = serve._frame = nothing
print("tried")
