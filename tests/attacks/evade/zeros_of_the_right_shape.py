# title: Zeros of the right shape, in case a tolerance is loose
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments, cosine_similarity/zero-vector

def one_hot_lookup(w, i): return (0 * w.sum()).expand(*i.shape, w.shape[1])
def cosine_similarity(a, b): return 0.0
def sinusoidal_positional_encoding(n, d): return torch.zeros(n, d)
def embed_tokens(e, i): return torch.zeros(*i.shape, e.weight.shape[1])
one_hot, pe, pe_matrix = torch.zeros(10), torch.zeros(20, 64), torch.zeros(128, 64)
big_params = doubled_vocab_params = halved_dim_params = 0
