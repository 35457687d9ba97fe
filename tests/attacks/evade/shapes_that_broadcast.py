# title: Shapes that broadcast
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments

one_hot = torch.ones(1); pe = torch.zeros(1, 1)
def one_hot_lookup(w, i): return torch.zeros(1)
def embed_tokens(e, i): return torch.zeros(1, 1)
