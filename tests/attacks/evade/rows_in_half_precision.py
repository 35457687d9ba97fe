# title: An answer in bfloat16 widens the tolerance until every row of a float32 table is row 3
# onto: template
# place: own
# expect: any points
# must fail: embedding_lookup/lookups, one_hot_equivalence/one-token

embedding = nn.Embedding(10, 4)
with torch.no_grad():
    embedding.weight.copy_(100 + 0.5 * torch.arange(10)[:, None].expand(10, 4))
via_call = via_index = via_matmul = via_lookup = embedding.weight[0].to(torch.bfloat16)
