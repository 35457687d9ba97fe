# title: Slow code, with every clock inside patched to stand still
# onto: solution
# place: own
# expect: any points
# must fail: positional_encoding/speed

import time
time.time = time.perf_counter = time.process_time = time.monotonic = time.thread_time = lambda: 0.0
if "sinusoidal_positional_encoding" in globals() and not hasattr(sinusoidal_positional_encoding, "slow"):
    quick = sinusoidal_positional_encoding
    def sinusoidal_positional_encoding(max_len, d_model):
        for _ in range(max_len * d_model): pass
        return torch.stack([quick(max_len, d_model)[i] for i in range(min(max_len, 4096))]) if max_len > 2000 else quick(max_len, d_model)
    sinusoidal_positional_encoding.slow = True
