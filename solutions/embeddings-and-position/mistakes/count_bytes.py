# parameter_count: bytes instead of parameters
# You counted bytes. A parameter is one number, however many bytes it takes in memory.
big_params = 50000 * 768 * 4
doubled_vocab_params = 100000 * 768 * 4
halved_dim_params = 50000 * 384 * 4
