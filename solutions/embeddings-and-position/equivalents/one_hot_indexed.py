# one_hot_equivalence: plain indexing and F.embedding
# No product in the function at all: it indexes the table. The one-hot vector holds integers.
def one_hot_lookup(weight, token_ids):
    return weight[token_ids]


one_hot = F.one_hot(torch.tensor(3), 10)
via_matmul = torch.mv(embedding.weight.T, one_hot.float())
via_lookup = F.embedding(torch.tensor(3), embedding.weight)
via_matmul_all = F.one_hot(torch.arange(10)).float().mm(embedding.weight)
via_lookup_all = F.embedding(torch.arange(10), embedding.weight)
