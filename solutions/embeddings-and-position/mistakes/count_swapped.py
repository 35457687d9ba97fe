# parameter_count: the doubled and the halved count exchanged
# The last two counts have changed places: doubling V doubles the count, halving D halves it.
big_params = 50000 * 768
doubled_vocab_params = 50000 * 384
halved_dim_params = 100000 * 768
