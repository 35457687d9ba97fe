# title: NaN and infinities where a comparison could let them pass
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments

nan = float("nan")
one_hot = torch.full((10,), nan); pe = torch.full((20, 64), nan); pe_matrix = torch.full((128, 64), nan)
big_params, doubled_vocab_params, halved_dim_params = nan, float("inf"), torch.tensor(nan)
model_input = model_input_learned = torch.full((5, 64), nan)
def cosine_similarity(a, b): return nan
def sinusoidal_positional_encoding(n, d): return torch.full((n, d), nan)
def one_hot_lookup(w, i): return torch.full((*i.shape, w.shape[1]), nan, requires_grad=True)
def embed_tokens(e, i): return torch.full((*i.shape, e.weight.shape[1]), nan)
