# parameter_count: the number as a string
# Your answers are strings. Give numbers, without quotation marks and thousands separators.
big_params = "38,400,000"
doubled_vocab_params = "76,800,000"
halved_dim_params = "19,200,000"
