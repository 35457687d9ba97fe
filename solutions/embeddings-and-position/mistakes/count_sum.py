# parameter_count: V + D instead of V x D
# You added V and D. The table has V rows of D numbers each; how many numbers is that?
big_params = 50000 + 768
doubled_vocab_params = 100000 + 768
halved_dim_params = 50000 + 384
