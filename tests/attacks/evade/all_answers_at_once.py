# title: A choice is answered with every option
# onto: template
# place: own
# expect: no points

frequency_order = "first columns, last columns"
big_params = [38400000, 76800000, 19200000]
doubled_vocab_params = {38400000, 76800000}
halved_dim_params = torch.tensor([19200000, 38400000])
