# title: Claims full of markup
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
H = '<script>1</script><img src=x onerror=1>'
out = lambda kind, mime: M.Output(kind, mime, b'\x89PNG\r\n\x1a\n' + H.encode())
done = M.CellDone((out('display', 'text/html'), out('display', 'image/svg+xml'),
    out('result', 'image/png" onerror="1'), out('stdout', 'text/html')),
    M.Error((H, H), H, 5, H, H), 2**60)
session.Session._run_cell = lambda self, r: done
