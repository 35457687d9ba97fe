# title: Token rows of a billion, beside which the positions that were never added are rounding
# onto: template
# place: own
# expect: any points
# must fail: input_pipeline/sum, input_pipeline/learned-sum

with torch.no_grad():
    token_embedding, pos_embedding = nn.Embedding(100, 64), nn.Embedding(128, 64)
    token_embedding.weight.mul_(1e9)
token_ids = torch.tensor([23, 45, 12, 67, 89])
pe_matrix = torch.rand(128, 64)
model_input = model_input_learned = token_embedding(token_ids)
