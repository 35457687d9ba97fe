# parameter_count: halves the width of the doubled table
# For the last count V is 50000 again. You halved the width of the table with the doubled V.
big_params = 50000 * 768
doubled_vocab_params = 2 * big_params
halved_dim_params = doubled_vocab_params // 2
