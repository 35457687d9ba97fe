# title: Lists of equal small arrays, nested as deep as allowed, for every name that is compared
# onto: template
# place: own
# expect: no points

_a = [[[[[[[torch.zeros(1)] * 10] * 10] * 10] * 10] * 5]]
one_hot = pe = pe_matrix = token_ids = via_call = via_index = _a
big_params = doubled_vocab_params = halved_dim_params = _a
def cosine_similarity(*a): return _a
one_hot_lookup = embed_tokens = sinusoidal_positional_encoding = cosine_similarity
