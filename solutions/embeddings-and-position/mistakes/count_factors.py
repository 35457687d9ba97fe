# parameter_count: gives factors instead of counts
# The first count is right. For the other two you gave the factor; the exercise asks for the new
# number of parameters.
big_params = 50000 * 768
doubled_vocab_params = 2
halved_dim_params = 0.5
