# title: A module with fifty thousand parameters and a class of a thousand bases
# onto: template
# place: own
# expect: no points

embedding = token_embedding = pos_embedding = nn.Embedding(3, 3)
_p = nn.Parameter(torch.zeros(1))
for _k in range(50_000):
    embedding._parameters["p%d" % _k] = nn.Parameter(torch.zeros(1))
via_call = via_index = torch.zeros(4)
