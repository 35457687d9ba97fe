# title: Functions change their arguments, so that a reference would see other data
# onto: template
# place: own
# expect: no points
# may pass: cosine_similarity/zero-vector

def one_hot_lookup(w, i):
    w.data.zero_(); i.zero_()
    return torch.zeros(*i.shape, w.shape[1])
def embed_tokens(e, i):
    e.weight.data.zero_(); i.zero_()
    return torch.zeros(*i.shape, e.weight.shape[1])
def cosine_similarity(a, b):
    a.zero_(); b.zero_()
    return 0.0
