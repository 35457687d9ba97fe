# parameter_count: off by one row
# You counted one row too few. Ids run from 0 to V - 1, so there are V rows.
big_params = 49999 * 768
doubled_vocab_params = 99999 * 768
halved_dim_params = 49999 * 384
