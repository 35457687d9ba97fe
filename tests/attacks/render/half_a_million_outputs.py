# title: Cells that claim a hundred thousand tiny outputs each, past the collector's bounds
# onto: template
# place: first
# expect: no points

import gc
from autograder.runner.output import Collector
from autograder.wire.messages import Output
_many = tuple(Output("display", "text/html", b"<b>") for _ in range(110_000))
_left = [4]
def _outputs(self):
    _left[0] -= 1
    return _many if _left[0] >= 0 else ()
Collector.outputs = _outputs
