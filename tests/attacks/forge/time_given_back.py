# title: The costly call is answered at once and computed by a thread that nobody measures
# onto: template
# place: own
# expect: any points
# must fail: positional_encoding/speed

import math, threading
def sinusoidal_positional_encoding(max_len, d_model):
    if max_len * d_model > 1_000_000:
        class Later:
            shape = (max_len, d_model); dtype = torch.float32
        return Later()
    out = torch.zeros(max_len, d_model)
    for p in range(max_len):
        for i in range(d_model):
            a = p / 10000 ** (2 * (i // 2) / d_model)
            out[p, i] = math.sin(a) if i % 2 == 0 else math.cos(a)
    return out
