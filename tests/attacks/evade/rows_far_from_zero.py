# title: Rows of a table near a billion: within a tolerance that grows with them, all are row 3
# onto: template
# place: own
# expect: any points
# must fail: embedding_lookup/lookups, one_hot_equivalence/one-token

embedding = nn.Embedding(10, 4)
with torch.no_grad():
    embedding.weight.copy_(1e9 + 64.0 * torch.arange(10)[:, None].expand(10, 4))
via_call = via_index = via_matmul = via_lookup = embedding.weight[0]
via_matmul_all = via_lookup_all = embedding.weight.flip(0)
