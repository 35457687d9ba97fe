# title: Infinite, huge and signalling numbers in every place where a result keeps one
# onto: template
# place: own
# expect: any points

import numpy as np
big_params = float("nan"); doubled_vocab_params = 10**3999; halved_dim_params = complex("nan+infj")
one_hot = np.full(10, np.inf); pe = np.frombuffer(b"\x01\x00\xf0\x7f" * 2 * 640, dtype="<f8")[:1280].copy()
pe = np.full((20, 64), 1.7e308); token_ids = np.full(5, np.uint64(2**64 - 1)); pe_matrix = np.full((128, 64), -np.inf)
def cosine_similarity(*a): return float("-inf")
def sinusoidal_positional_encoding(a, b): return np.full((a, b), -1.7e308)
