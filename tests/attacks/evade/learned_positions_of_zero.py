# title: A position table of zeros, so that nothing has to be added for the sum
# onto: template
# place: own
# expect: any points
# must fail: input_pipeline/learned-sum

token_embedding, pos_embedding = nn.Embedding(100, 64), nn.Embedding(128, 64)
nn.init.zeros_(pos_embedding.weight)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input_learned = token_embedding(token_ids)
