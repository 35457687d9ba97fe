# title: Functions return tensors of gigabytes
# onto: template
# place: own
# expect: no points

def cosine_similarity(a, b): return torch.zeros(1).expand(10**10)
def one_hot_lookup(w, i): return torch.zeros(20_000_000)
def sinusoidal_positional_encoding(n, d): return [[0.0] * 3000] * 3000
pe = torch.zeros(4_000_000)
