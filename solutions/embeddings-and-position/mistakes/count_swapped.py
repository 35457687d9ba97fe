# parameter_count: the doubled and the halved count swapped
# The last two counts are swapped: doubling V doubles the count, halving D halves it.
big_params = 50000 * 768
doubled_vocab_params = 50000 * 384
halved_dim_params = 100000 * 768
