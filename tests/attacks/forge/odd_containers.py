# title: Odd containers
# onto: template
# place: own
# expect: no points

pe = []; pe.append(pe); one_hot = {}; one_hot['a'] = one_hot
via_call = []
for _ in range(100_000): via_call = [via_call]
via_index = (n for n in range(10**9)); frequency_order = '\ud800'
big_params = 10**100_000; halved_dim_params = {'\udfff': None, float('nan'): 1}
