# title: Frames with lying lengths, codes beyond their categories and endless indexes
# onto: template
# place: first
# expect: no points, restarted

from autograder.wire import messages as M
from autograder.wire.values import Array, DataColumn, DataFrame, Sparse
from autograder.runner import serve
import os
def column(n, **k): return DataColumn("number", "int64", Array("int64", (n,), bytes(8 * n)), **k)
codes = Array("int32", (2,), b"\xff\xff\xff\x7f" * 2)
names = DataColumn("text", "str", Array("int32", (1,), bytes(4)), levels=("a",))
lies = [
    DataFrame("frame", (column(2),), (names,), (column(3),)),
    DataFrame("frame", (DataColumn("category", "category", codes, categories=names),), (names,)),
    DataFrame("series", (column(1), column(1))),
    DataFrame("value", (column(10**6),)),
    Sparse("csr", (2**40, 2**40), *[Array("int64", (1,), bytes(8))] * 3),
]
send, sent = serve.send, []
def lie(fd, nonce, answer):
    if isinstance(answer, M.Kept) and answer.outcomes:
        value = lies[len(sent) % len(lies)]; sent.append(1)
        answer = M.Kept(tuple(M.Outcome("returned", value) for _ in answer.outcomes))
        body = M.frame(M.encode(M.Reply(nonce, answer)))
        while body: body = body[os.write(fd, body):]
        return
    send(fd, nonce, answer)
serve.send = lie
