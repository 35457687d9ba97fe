# parameter_count: 50257 instead of 50000
# You took GPT-2's vocabulary of 50257. The table of this exercise has 50000 rows.
big_params = 50257 * 768
doubled_vocab_params = 2 * 50257 * 768
halved_dim_params = 50257 * 384
