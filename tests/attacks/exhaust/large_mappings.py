# title: Dictionaries and sets of a hundred thousand entries where a number is expected
# onto: template
# place: own
# expect: no points

_a = {str(k): [k] for k in range(100_000)}
one_hot = pe = pe_matrix = token_ids = via_call = via_index = model_input = _a
big_params = doubled_vocab_params = halved_dim_params = frequency_order = set(range(100_000))
