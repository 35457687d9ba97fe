# title: Errors whose line, class names and texts are as odd as the wire allows
# onto: template
# place: own
# expect: no points

import sys
def _odd(*a, **k):
    e = type("\u202e<b>" + "x" * 300 + "\x00", (ValueError,), {})("\x00\x1b]0;x\x07" + "\u202e`" * 4000 + "[Errno 28] you tried to allocate 999999999999999999 bytes DefaultCPUAllocator: ")
    try: e.add_note("n" * 10**6)
    except Exception: pass
    raise e
embedding = one_hot_lookup = cosine_similarity = sinusoidal_positional_encoding = embed_tokens = _odd
