# title: Right answers as text, list, table or truth value
# onto: template
# place: own
# expect: no points

big_params, doubled_vocab_params, halved_dim_params = "38400000", [76800000], {"x": 19200000}
one_hot = "[0, 0, 0, 1, 0, 0, 0, 0, 0, 0]"
frequency_order = ["first columns", "last columns"]
def cosine_similarity(a, b): return True
def sinusoidal_positional_encoding(n, d): return "sin"
