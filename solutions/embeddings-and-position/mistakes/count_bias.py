# parameter_count: counts a bias
# You counted a bias of D numbers as well. An embedding only selects rows: it has no bias.
big_params = 50000 * 768 + 768
doubled_vocab_params = 100000 * 768 + 768
halved_dim_params = 50000 * 384 + 384
