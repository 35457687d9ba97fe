# title: Functions give back their arguments, so that messages quote them
# onto: template
# place: own
# expect: no points

def one_hot_lookup(weight, token_ids): return weight
def cosine_similarity(a, b): return torch.cat([a, b])
def sinusoidal_positional_encoding(max_len, d_model): return max_len, d_model
def embed_tokens(embedding, token_ids): return embedding.weight
def find_nearest_tokens(word, k): return [word] * k
def token_similarity(one, other): return one + other
